"""Shapley values for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.attribution import kernel_shapley, sampled_shapley, shapley  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.bridge import NumberModule  # From: -e CHECKOUT-OF-METROLOGUE


class Shapley(NumberModule, evaluate.Measurement):
    """Shapley values of the players of a game.

    Shapley values divide the worth of a team among its players: each gets the mean of what it adds, over all orders of
    joining. Players may be the references of a score, the parts of a composite metric, or the choices behind a number.

    Args:
        data: list of numbers, the worth of each coalition: that at index i is of the players whose bits are set in i,
            and bit 0 is the first player. So there are 2 to the power of n numbers. None if `value` is given.
        players: list of the players' names; by default their numbers.
        value: function from a list of players to the worth of this coalition, in place of `data`.
        method: "exact", up to 20 players; with `value` also "sampled", from random orders, or "kernel", KernelSHAP.

    Returns:
        shapley: the value of each player, by its name.
        standard_error: of each value, if orders were drawn.

    Examples:

        >>> import metrologue
        >>> shares = metrologue.load("shapley")
        >>> shares.compute(data=[0, 0, 0, 1], players=["left glove", "right glove"])
        {'shapley': {'left glove': 0.5, 'right glove': 0.5}}
        >>> shares.compute(players=[1, 2, 3, 4], value=lambda team: sum(team) ** 2)["shapley"][3]
        30.0
    """

    numbers = ("data",)
    papers = ("shapley-1953-value",)
    pages = ("https://doi.org/10.1515/9781400881970-018", "https://arxiv.org/abs/1705.07874")

    def compute(self, *, data=None, players=None, value=None, method="exact", **options):
        """The values of all coalitions added so far, with those given here; or those of the function `value`."""
        if value is None:
            return super().compute(data=data, players=players, method=method, **options)
        self._refuse_unknown({name: each for name, each in options.items() if each is not None}, self._compute)
        if data is not None or self.writer is not None:
            raise self._error("`data` and `value` are both given; the worth of coalitions comes from one of them.")
        return self._compute(None, players, value, method)

    def _compute(self, data, players=None, value=None, method="exact"):
        methods = ("exact", "sampled", "kernel") if value else ("exact",)
        if method not in methods:
            raise self._error(f"`method` is {method!r}; here are {', '.join(methods)}.")
        if value is None:
            worth = self._numbers(data)
            players = range((len(worth) - 1).bit_length()) if players is None else players
            return {"shapley": shapley([*players], worth)}
        if players is None:
            raise self._error("`players` are missing; `value` says nothing of them.")

        def of_list(team):
            return value([player for player in players if player in team])

        if method == "sampled":
            found = sampled_shapley([*players], of_list, self._seed())
            values, errors = ({player: pair[i] for player, pair in found.items()} for i in (0, 1))
            return {"shapley": values, "standard_error": errors}
        return {"shapley": (shapley if method == "exact" else kernel_shapley)([*players], of_list)}
