"""What people would say next: the utterances of FED for each quality, good and bad (Mehri and Eskenazi 2020).

They are those of the authors' program, https://github.com/Shikib/fed, fed.py, letter by letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class FollowUps(NamedTuple):
    """What follows a good conversation, and what follows a bad one. Either may be missing."""

    good: tuple[str, ...]
    bad: tuple[str, ...]


_SENSE = ("That makes sense!", "You have a good point.")

TURN: Mapping[str, FollowUps] = {
    "interesting": FollowUps(
        ("Wow that is really interesting.", "That's really interesting!", "Cool! That sounds super interesting."),
        ("That's not very interesting.", "That's really boring.", "That was a really boring response."),
    ),
    "engaging": FollowUps(
        ("Wow! That's really cool!", "Tell me more!", "I'm really interested in learning more about this."),
        (
            "Let's change the topic.",
            "I don't really care. That's pretty boring.",
            "I want to talk about something else.",
        ),
    ),
    "specific": FollowUps(
        ("That's good to know. Cool!", "I see, that's interesting.", "That's a good point."),
        ("That's a very generic response.", "Not really relevant here.", "That's not really relevant here."),
    ),
    "relevant": FollowUps(
        (), ("That's not even related to what I said.", "Don't change the topic!", "Why are you changing the topic?")
    ),
    "correct": FollowUps(
        (), ("You're not understanding me!", "I am so confused right now!", "I don't understand what you're saying.")
    ),
    "semantically_appropriate": FollowUps(_SENSE, ("That makes no sense!",)),
    "understandable": FollowUps(
        _SENSE,
        ("I don't understand at all!", "I'm so confused!", "That makes no sense!", "What does that even mean?"),
    ),
    "fluent": FollowUps(_SENSE, ("Is that real English?", "I'm so confused right now!", "That makes no sense!")),
}

DIALOGUE: Mapping[str, FollowUps] = {
    "coherent": FollowUps(
        (), ("You're making no sense at all.", "You're changing the topic so much!", "You are so confusing.")
    ),
    "error_recovery": FollowUps(
        (), ("I am so confused right now.", "You're really confusing.", "I don't understand what you're saying.")
    ),
    "consistent": FollowUps((), ("That's not what you said earlier!", "Stop contradicting yourself!")),
    "diverse": FollowUps(
        (),
        ("Stop saying the same thing repeatedly.", "Why are you repeating yourself?", "Stop repeating yourself!"),
    ),
    "depth": FollowUps((), ("Stop changing the topic so much.", "Don't change the topic!")),
    "likeable": FollowUps(
        ("I like you!", "You're super polite and fun to talk to", "Great talking to you."),
        ("You're not very nice.", "You're not very fun to talk to.", "I don't like you."),
    ),
    "understand": FollowUps(
        (), ("You're not understanding me!", "What are you trying to say?", "I don't understand what you're saying.")
    ),
    "flexible": FollowUps(
        ("You're very easy to talk to!", "Wow you can talk about a lot of things!"),
        ("I don't want to talk about that!", "Do you know how to talk about something else?"),
    ),
    "informative": FollowUps(
        ("Thanks for all the information!", "Wow that's a lot of information.", "You know a lot of facts!"),
        ("You're really boring.", "You don't really know much."),
    ),
    "inquisitive": FollowUps(
        ("You ask a lot of questions!", "That's a lot of questions!"),
        ("You don't ask many questions.", "You don't seem interested."),
    ),
}

QUALITIES: Mapping[str, Mapping[str, FollowUps]] = {
    "turn": TURN, "dialogue": DIALOGUE, "both": {**TURN, **DIALOGUE},
}  # fmt: skip
