import type { RunResult } from '@engine/run/types'
import { appVersion } from '@engine/app-version'
import type { TextSink } from '../atomic-file'
import { placementOf, type Placement } from './placement'

/**
 * model.py: the clustering as a Python module that needs numpy alone; run as a program it labels a CSV. Distances are
 * float64 differences, ties go to the lowest cluster.
 */
export async function writePythonModel(result: RunResult, sink: TextSink): Promise<void> {
  const model = placementOf(result)
  await sink.write(head(model))
  await sink.write('CENTROIDS = np.array([\n')
  for (const { centroid } of model.clusters) await sink.write(`    ${list(centroid)},\n`)
  await sink.write(`])\n${functions}`)
}

function head({
  source,
  startedAt,
  columns,
  features,
  clusters,
  scale,
  isUnitLength,
  precision,
}: Placement): string {
  const fills = features.map(({ fill }) => (fill === null ? 'np.nan' : String(fill)))
  const about = columns.map(({ name, unit, texts }) => {
    return `${name} (${texts === null ? (unit ?? 'numbers') : 'texts'})`
  })
  return `# A k-means clustering by Centroid Lab ${appVersion()}: ${comment(source)}, ${startedAt}.
# Columns: ${comment(about.join(', '))}.
#
#     python3 model.py new.csv > labelled.csv      (a header row, commas, decimal points)
#
#     from model import predict
#     labels, distances = predict({name: values, ...})    # -1 and NaN where a value is missing
#
# Needs numpy alone.
import csv
import sys

import numpy as np

COLUMNS = ${texts(columns.map(({ name }) => name))}
# (column, text): 1 where the column has the text; None for a column of numbers.
FEATURES = [
${features.map(({ column, text }) => `    (${column}, ${text === null ? 'None' : JSON.stringify(text)}),\n`).join('')}]
OFFSET = np.array(${list(features.map(({ offset }) => offset))})
STEP = np.array(${list(features.map(({ step }) => step))})
FILL = np.array([${fills.join(', ')}])
UNIT_LENGTH = ${isUnitLength ? 'True' : 'False'}
PRECISION = np.${precision}
SCALE = ${scale}
CLUSTERS = np.array(${list(clusters.map(({ cluster }) => cluster))})
`
}

const functions = `

def gather(table):
    """(n, d) values of the features of a table of columns by name, NaN where one is missing."""
    features = []
    for column, text in FEATURES:
        cells = table[COLUMNS[column]]
        if text is None:
            features.append(np.array([number(cell) for cell in cells], dtype=np.float64))
        else:
            features.append(np.array([indicator(cell, text) for cell in cells], dtype=np.float64))
    return np.column_stack(features)


def number(cell):
    try:
        value = float(cell)
    except (TypeError, ValueError):
        return np.nan
    return value if np.isfinite(value) else np.nan


def indicator(cell, text):
    cell = "" if cell is None else str(cell).strip()
    return np.nan if cell == "" else float(cell == text)


def transform(values):
    """Values of the features (n, d) in units of the file as the clustering sees them."""
    values = np.where(np.isnan(values), FILL, values)
    if UNIT_LENGTH:
        largest = np.abs(values).max(axis=1, keepdims=True)
        values = values / np.where(largest == 0, 1, largest)
        norm = np.sqrt((values * values).sum(axis=1, keepdims=True))
        values = values / np.where(norm == 0, 1, norm)
    return ((values - OFFSET) / STEP).astype(PRECISION).astype(np.float64)


def predict(table):
    """(labels, distances) of a table of columns by name; distances in units of the scaled data."""
    points = transform(gather(table))
    labels = np.full(len(points), -1)
    distances = np.full(len(points), np.nan)
    usable = np.flatnonzero(~np.isnan(points).any(axis=1))
    block = max(1, (1 << 22) // CENTROIDS.size)
    for start in range(0, len(usable), block):
        rows = usable[start:start + block]
        squares = np.zeros((len(rows), len(CENTROIDS)))
        for j in range(CENTROIDS.shape[1]):
            squares += (points[rows, j, None] - CENTROIDS[None, :, j]) ** 2
        nearest = squares.argmin(axis=1)
        labels[rows] = CLUSTERS[nearest]
        distances[rows] = np.sqrt(squares[np.arange(len(rows)), nearest]) * SCALE
    return labels, distances


def main(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        header, *rows = csv.reader(file)
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        sys.exit(f"{path} has no column '{missing[0]}', which the clustering was made of.")
    at = {name: header.index(name) for name in COLUMNS}
    cells = {name: [row[i] if i < len(row) else "" for row in rows] for name, i in at.items()}
    labels, distances = predict(cells)
    out = csv.writer(sys.stdout, lineterminator="\\n")
    out.writerow([*header, "cluster", "distance"])
    for row, label, distance in zip(rows, labels, distances):
        out.writerow([*row, *(("", "") if label < 0 else (label, repr(float(distance))))])


if __name__ == "__main__":
    main(sys.argv[1])
`

/** Numbers as Python reads them: the shortest text of a float64. */
function list(values: readonly number[]): string {
  return `[${values.map(String).join(', ')}]`
}

/** JSON's strings are Python's, but for pairs of surrogates, which are written as they are. */
function texts(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`
}

/** On one line, whatever a file is called. */
function comment(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
