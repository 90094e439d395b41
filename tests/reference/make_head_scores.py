#!/usr/bin/env python3
"""Expected numbers for tests/inside/map_scores_test.cpp and head_order_test.cpp, with NumPy in
double precision and written as the definitions read.

Writes head_scores.txt: maps of weights with the words they are of (as numbers), the scores of each,
and the order in which average-linkage clustering leaves some maps.

Needs numpy alone; the tests do not need Python. Run it in this folder.
"""
import numpy as np

SEPARATOR = 99  # the word that is a full stop


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def offsets(a):
    """Mean weight by j - i, from 1 - n on, and how many rows have that key."""
    n, m = a.shape
    means, counts = [], []
    for d in range(1 - n, m):
        cells = [a[i, i + d] for i in range(n) if 0 <= i + d < m]
        means.append(np.mean(cells))
        counts.append(len(cells))
    return np.array(means), np.array(counts)


def scores(a, words, causal):
    n = len(words)
    means, counts = offsets(a)
    common = 2 * counts >= n
    best = np.flatnonzero(common)[means[common].argmax()]
    duplicate, followed = [], []
    for i in range(n):
        others = [j for j in range(i if causal else n) if j != i and words[j] == words[i]]
        if others:
            duplicate.append(sum(a[i, j] for j in others))
        earlier = [j for j in others if j + 1 < i]
        if earlier:
            followed.append(sum(a[i, j + 1] for j in earlier))
    stops = [j for j in range(1, n) if words[j] == SEPARATOR]
    bits = [-sum(p * np.log2(p) for p in row if p > 0) for row in a]
    distance = [sum(p * abs(i - j) for j, p in enumerate(row)) for i, row in enumerate(a)]
    return {
        "previous": np.mean([a[i, i - 1] for i in range(1, n)]),
        "next": np.mean([a[i, i + 1] for i in range(n - 1)]),
        "same": np.mean(np.diag(a)[1:]),
        "first": np.mean(a[1:, 0]),
        "separator": np.mean(a[:, stops].sum(axis=1)),
        "positional": means[best],
        "offset": best - (n - 1),
        "duplicate": np.mean(duplicate),
        "followed": np.mean(followed),
        "entropy": np.mean(bits),
        "distance": np.mean(distance),
        "confidence": np.mean(a.max(axis=1)),
    }


def divergence(a, b):
    """Jensen-Shannon, bits, meaned over rows, by its definition with two Kullback-Leibler terms."""
    def kl(p, q):
        return sum(x * np.log2(x / y) for x, y in zip(p, q) if x > 0)
    return np.mean([(kl(p, (p + q) / 2) + kl(q, (p + q) / 2)) / 2 for p, q in zip(a, b)])


def order(distances):
    """Average linkage, each distance of clusters as the mean over all pairs of their leaves."""
    clusters = [[i] for i in range(len(distances))]
    while len(clusters) > 1:
        def between(pair):
            return np.mean([distances[x, y] for x in clusters[pair[0]] for y in clusters[pair[1]]])
        pairs = [(i, j) for i in range(len(clusters)) for j in range(i + 1, len(clusters))]
        i, j = min(pairs, key=between)
        clusters[i] = clusters[i] + clusters[j]
        del clusters[j]
    return clusters[0]


def write(out, name, array):
    array = np.atleast_2d(array)
    out.write(f"{name} {array.shape[0]} {array.shape[1]}\n")
    for row in array:
        out.write(" ".join(repr(float(x)) for x in row) + "\n")


def main():
    generator = np.random.default_rng(18)
    words = np.array([1, 2, 3, 99, 1, 2, 4, 4, 4, 99, 3, 1])
    n = len(words)
    with open("head_scores.txt", "w") as out:
        write(out, "words", words)
        for name, causal in (("causal", True), ("both", False)):
            x = generator.normal(0, 2, (n, n))
            if causal:
                x[np.triu_indices(n, 1)] = -np.inf
            a = softmax(x).astype(np.float32).astype(np.float64)
            write(out, name, a)
            write(out, name + ".offsets", offsets(a)[0])
            for score, value in scores(a, words, causal).items():
                write(out, f"{name}.{score}", value)
        kinds = [softmax(generator.normal(0, 2, (6, 6))) for _ in range(3)]
        maps = [softmax(np.log(kinds[i % 3]) + generator.normal(0, 0.3, (6, 6)))
                .astype(np.float32).astype(np.float64) for i in range(8)]
        distances = np.array([[divergence(a, b) for b in maps] for a in maps])
        write(out, "maps", np.concatenate(maps))
        write(out, "distances", distances)
        write(out, "order", order(distances))


main()
