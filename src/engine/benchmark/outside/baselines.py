"""K-means by numpy, scikit-learn or scipy, as a child process of Centroid Lab.

usage: python3 -I -c <this text> SYSTEM

Standard input: one line of JSON {"n", "d", "k", "type", "stop", "threshold", "maxIterations"}, the points (n, d) and the
first centroids (k, d), both row-major of that type (float32, float64) in the byte order of the machine; then a line for every run that is wanted.
Standard output: a line of JSON once the data are there, {}; then for every run {"ms", "iterations"}, the labels
(n) int32 and the centroids (k, d) float64; {"error": sentence} instead of what could not be done.
"""

import json
import os
import sys
import time

# What a library prints must not get between the answers.
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)

import numpy as np

# The tensor of differences is made in blocks of rows once it is larger than this.
TENSOR_BYTES = 256 * 1024 * 1024


def nearest(x, centroids):
    """Labels (n): the lowest index among the nearest, from a rows x d x k tensor of differences."""
    n, d = x.shape
    rows = max(1, TENSOR_BYTES // (8 * d * len(centroids)))
    labels = np.empty(n, np.intp)
    for begin in range(0, n, rows):
        block = x[begin : begin + rows, :, np.newaxis] - centroids.T[np.newaxis, :, :]
        np.square(block, out=block)
        labels[begin : begin + rows] = block.sum(axis=1).argmin(axis=1)
    return labels


def means(x, labels, old):
    """Centroids (k, d); a cluster without points keeps its old one."""
    k, d = old.shape
    counts = np.bincount(labels, minlength=k)
    sums = np.stack([np.bincount(labels, weights=x[:, j], minlength=k) for j in range(d)], axis=1)
    return np.where(counts[:, np.newaxis] > 0, sums / np.maximum(counts, 1)[:, np.newaxis], old)


def by_numpy(x, start, job):
    """Every stop rule of the program, as its specification words them."""
    stop, threshold = job["stop"], job["threshold"]
    centroids, labels, objective = start, None, None
    for iteration in range(1, job["maxIterations"] + 1):
        before_labels, before, before_objective = labels, centroids, objective
        labels = nearest(x, before)
        centroids = means(x, labels, before)
        shift = np.abs(centroids - before)
        if stop == "inertia":
            objective = np.square(x - before[labels]).sum()
        changed = len(x) if before_labels is None else np.count_nonzero(labels != before_labels)
        met = {
            "none": False,
            "relative-shift": np.square(shift).sum() <= threshold,
            "coordinate-shift": shift.max() <= threshold,
            "inertia": before_objective is not None and before_objective - objective < threshold,
            "labels": changed <= threshold * len(x),
        }[stop]
        if met or (stop != "none" and not shift.any()):
            break
    return nearest(x, centroids), centroids, iteration


def by_scikit_learn(x, start, job):
    """Lloyd on all threads. It knows the rule relative-shift; without one it still stops where no label changes."""
    from sklearn.cluster import KMeans

    variance = job["variance"]
    model = KMeans(
        n_clusters=len(start),
        init=start,
        n_init=1,
        algorithm="lloyd",
        max_iter=job["maxIterations"],
        tol=job["threshold"] / variance if variance > 0 else 0,
    )
    model.fit(x)
    return model.labels_, model.cluster_centers_, model.n_iter_


def by_scipy(x, start, job):
    """It knows no stop rule: every iteration up to the limit. Its labels are older than its centroids by an update."""
    from scipy.cluster.vq import kmeans2, vq

    centroids, _ = kmeans2(
        x, start, iter=job["maxIterations"], minit="matrix", missing="warn", check_finite=False
    )
    labels, _ = vq(x, centroids, check_finite=False)
    return labels, centroids, job["maxIterations"]


SYSTEMS = {"numpy": by_numpy, "scikit-learn": by_scikit_learn, "scipy": by_scipy}
MODULES = {"numpy": "numpy", "scikit-learn": "sklearn.cluster", "scipy": "scipy.cluster.vq"}


def numbers(count, kind):
    """Numbers of a type from standard input, as float64."""
    size = np.dtype(kind).itemsize * count
    data = sys.stdin.buffer.read(size)
    if len(data) != size:
        sys.exit(0)
    return np.frombuffer(data, kind).astype(np.float64)


def answer(head, *arrays):
    answers.write(json.dumps(head).encode() + b"\n")
    for array in arrays:
        answers.write(np.ascontiguousarray(array).data)
    answers.flush()


def serve(system):
    __import__(MODULES[system])
    job = json.loads(sys.stdin.buffer.readline())
    n, d, k = job["n"], job["d"], job["k"]
    x = numbers(n * d, job["type"]).reshape(n, d)
    start = numbers(k * d, job["type"]).reshape(k, d)
    # The unit of its tolerance: known to our own contenders before their time begins, too.
    job["variance"] = np.mean(np.var(x, axis=0)) if job["stop"] == "relative-shift" else 0
    answer({})
    for _ in iter(sys.stdin.buffer.readline, b""):
        fresh = start.copy()
        began = time.perf_counter()
        labels, centroids, iterations = SYSTEMS[system](x, fresh, job)
        ms = (time.perf_counter() - began) * 1000
        answer(
            {"ms": ms, "iterations": int(iterations)}, labels.astype(np.int32), centroids.astype(np.float64)
        )


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    try:
        serve(sys.argv[1])
    except Exception as error:
        answer({"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]})
