"""Iterations of k-means by scikit-learn or flash-kmeans, as a child process of the grid.

usage: peer.py scikit-learn | flash-kmeans [FOLDER]     FOLDER holds the package flash_kmeans

Standard input, a line of JSON each: {"points", "centroids", "n", "d", "k"} names two files of float32 to take up, {"iterations"}
asks for one measurement. Standard output, a line each: {}, {"ms", "iterations"} (milliseconds of one iteration), or {"error": sentence}.
"""

import json
import math
import os
import sys
import time

# What a library prints must not get between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import numpy as np


class ScikitLearn:
    """Lloyd on all threads, in float32: a whole fit, divided by the iterations it made."""

    def __init__(self, _):
        import warnings

        from sklearn.cluster import KMeans

        warnings.simplefilter("ignore")
        self.model = KMeans

    def take(self, x, centroids):
        self.x, self.centroids = x, centroids

    def measure(self, iterations):
        model = self.model(
            len(self.centroids), init=self.centroids, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd"
        )
        began = time.perf_counter()
        model.fit(self.x)
        ms = (time.perf_counter() - began) * 1000
        return ms / model.n_iter_, int(model.n_iter_)


class FlashKmeans:
    """Its own iteration on the card, as many in a row as are asked for, timed by events."""

    def __init__(self, folder):
        sys.path.insert(0, folder)
        import torch
        from flash_kmeans.kmeans_triton_impl import _euclid_iter

        self.torch, self.iterate = torch, _euclid_iter

    def take(self, x, centroids):
        on_card = lambda values: self.torch.from_numpy(values).cuda()[None]
        self.x, self.centroids = on_card(x), on_card(centroids)
        self.squares = (self.x**2).sum(-1)
        self.chain(2)

    def chain(self, iterations):
        centroids = self.centroids
        for _ in range(iterations):
            centroids = self.iterate(self.x, self.squares, centroids)[0]

    def measure(self, iterations):
        cuda = self.torch.cuda
        begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        cuda.synchronize()
        begin.record()
        self.chain(iterations)
        end.record()
        cuda.synchronize()
        return begin.elapsed_time(end) / iterations, iterations


SYSTEMS = {"scikit-learn": ScikitLearn, "flash-kmeans": FlashKmeans}


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def done(system, job):
    if "iterations" in job:
        ms, iterations = system.measure(job["iterations"])
        if not math.isfinite(ms):
            raise ValueError("no time was measured")
        return {"ms": ms, "iterations": iterations}
    n, d, k = job["n"], job["d"], job["k"]
    x = np.fromfile(job["points"], np.float32, n * d).reshape(n, d)
    system.take(x, np.fromfile(job["centroids"], np.float32, k * d).reshape(k, d))
    return {}


def answer_by(work):
    try:
        answer(work())
    except Exception as error:
        answer({"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]})


def serve():
    system = None

    def begin():
        nonlocal system
        system = SYSTEMS[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else "")
        return {}

    answer_by(begin)
    if system is not None:
        for line in iter(sys.stdin.readline, ""):
            answer_by(lambda: done(system, json.loads(line)))


if __name__ == "__main__":
    serve()
