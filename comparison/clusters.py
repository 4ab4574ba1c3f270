"""Which numbers of libraries and variants are equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrologue.comparison.findings import Group, Number

__all__ = ["clusters_of", "group_of"]


def clusters_of(numbers: Iterable[Number]) -> list[list[Number]]:
    """Clusters of equal numbers, from the least to the greatest. A cluster keeps the order of `numbers`.

    All members of a cluster equal each other. Fine numbers come first: a coarse one, such as a printed one, may equal
    members of several clusters, and must not join them. It goes to the cluster of its own library or variant.
    """
    known = [number for number in numbers if number.value is not None]
    clusters: list[list[Number]] = []

    for number in sorted(known, key=lambda each: (each.printed_digits is not None, each.resolution, each.share)):
        if fitting := [cluster for cluster in clusters if all(map(number.equals, cluster))]:
            _nearest(fitting, number).append(number)
        else:
            clusters.append([number])
    clusters.sort(key=lambda cluster: cluster[0].share)
    return [[number for number in known if number in cluster] for cluster in clusters]


def _nearest(clusters: Iterable[list[Number]], number: Number) -> list[Number]:
    """The cluster that has a number of the same name; otherwise the one with the least distance."""
    return min(
        clusters,
        key=lambda cluster: (number.name not in {each.name for each in cluster}, abs(cluster[0].share - number.share)),
    )


def group_of(cluster: Sequence[Number]) -> Group:
    """A cluster with the value of its finest member."""
    finest = min(cluster, key=lambda number: (number.printed_digits is not None, number.resolution))
    return Group(system=finest.system, value=finest.share, members=[number.label for number in cluster])
