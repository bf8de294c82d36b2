"""Clusters files with scikit-learn from their first rows, and records what its indices and NumPy say of the result.

    python3 tests/indices/record_with_scikit_learn.py

writes tests/indices/scikit-learn.json, and the two generated files beside it. Needs scikit-learn 1.2 and NumPy.
"""
import csv
import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn import metrics
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler

FOLDER = pathlib.Path(__file__).parent
EXAMPLES = FOLDER.parent.parent / "examples"


def generate():
    """Blobs far from the origin with a constant column, and a lattice full of ties and duplicates."""
    random = np.random.default_rng(20261128)
    centres = random.uniform(-40, 40, (6, 3)) + [1.6e9, -2.5e6, 0]
    group = random.integers(0, 6, 400)
    blobs = np.round(centres[group] + random.normal(0, 4, (400, 3)), 3)
    rows = [[*map(repr, row), "7", f"g{g}"] for row, g in zip(blobs.tolist(), group)]
    write("blobs.csv", ["far", "negative", "near", "constant", "group"], rows)
    lattice = random.integers(0, 4, (300, 2))
    write("lattice.csv", ["x", "y", "half"], [[str(x), str(y), "low" if x < 2 else "high"] for x, y in lattice])


def write(name, header, rows):
    with open(FOLDER / "files" / name, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    x = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return header[:-1], x, [row[-1] for row in rows]


def clustered(x, k):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KMeans(k, init=x[:k], n_init=1, tol=0, max_iter=300, algorithm="lloyd").fit(x)


def scores(x, truth, k):
    found = clustered(x, k)
    return {
        "k": k,
        "inertia": found.inertia_,
        "silhouette": metrics.silhouette_score(x, found.labels_),
        "calinskiHarabasz": metrics.calinski_harabasz_score(x, found.labels_),
        "daviesBouldin": metrics.davies_bouldin_score(x, found.labels_),
        "adjustedRand": metrics.adjusted_rand_score(truth, found.labels_),
        "mutualInformation": metrics.normalized_mutual_info_score(truth, found.labels_),
    }


def profile(x, labels, cluster, feature):
    own, rest = x[labels == cluster, feature], x[labels != cluster, feature]
    quartiles = np.percentile(own, [25, 50, 75])
    deviations = own.std(ddof=1), rest.std(ddof=1)
    difference = own.mean() - rest.mean()
    return {
        "cluster": cluster,
        "feature": int(feature),
        "mean": own.mean(),
        "sd": deviations[0],
        "min": own.min(),
        "q25": quartiles[0],
        "median": quartiles[1],
        "q75": quartiles[2],
        "max": own.max(),
        "z": difference / deviations[1],
        "difference": difference / np.sqrt((deviations[0] ** 2 + deviations[1] ** 2) / 2),
    }


def case(name, path, ks, closer, scaling="none", profiles=False):
    _, raw, truth = read(path)
    # About the mean: scikit-learn's distances come from products, which lose all digits at an offset of 1e9.
    x = StandardScaler().fit_transform(raw) if scaling == "standardise" else raw - raw.mean(axis=0)
    labels = clustered(x, closer).labels_
    told = {
        "name": name,
        "file": str(path.relative_to(FOLDER.parent.parent)),
        "scaling": scaling,
        "scores": [scores(x, truth, k) for k in ks],
        "labels": labels.tolist(),
        "silhouettes": metrics.silhouette_samples(x, labels).tolist(),
    }
    if profiles:
        # Where a cluster or the rest has one value alone, nothing is divided by its deviation.
        varies = lambda c, j: np.ptp(raw[labels == c, j]) > 0 and np.ptp(raw[labels != c, j]) > 0
        pairs = [(c, j) for c in range(closer) for j in np.flatnonzero(np.ptp(raw, axis=0))]
        told["profiles"] = [profile(raw, labels, c, j) for c, j in pairs if varies(c, j)]
    return told


def main():
    generate()
    files = FOLDER / "files"
    cases = [
        case("iris", EXAMPLES / "iris.csv", range(2, 9), 3, profiles=True),
        case("wine", EXAMPLES / "wine.csv", range(2, 9), 3, "standardise", profiles=True),
        case("wine unscaled", EXAMPLES / "wine.csv", range(2, 6), 4),
        case("digits", EXAMPLES / "digits.csv", range(2, 13, 2), 10, profiles=True),
        case("blobs", files / "blobs.csv", range(2, 9), 6, profiles=True),
        case("lattice", files / "lattice.csv", [2, 3], 3, profiles=True),
    ]
    versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__}
    lines = ",\n".join(json.dumps(one) for one in cases)
    text = f'{{\n"versions": {json.dumps(versions)},\n"cases": [\n{lines}\n]\n}}\n'
    (FOLDER / "scikit-learn.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
