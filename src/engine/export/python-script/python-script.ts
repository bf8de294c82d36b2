import { appVersion } from '@engine/app-version'
import type { RunResult } from '@engine/run/types'
import { isApproximate } from '@shared/approximate'
import { programName, runCommandLine, shellText } from '@shared/command-line'
import { precisionOf } from '@shared/precision'
import { filterText } from '@shared/row-filter/filter-text'
import { centroidRow } from '../assignment'
import { placementOf } from '../models/placement'
import { filterColumns, filterExpression } from './filter-expression'
import { comment, list, number, text, truth } from './python-text'
import { readingPart } from './reading'

/**
 * A run as a Python script: it reads the same file the same way, prepares the same points, starts scikit-learn's KMeans at the
 * same centroids and stops it where the run stopped. `labels` has a label for each row of the file, -1 for one left out.
 */
export function pythonScript(result: RunResult): string {
  const { dataset, record } = result
  const own = record.features.map(({ index }) => index)
  const { filter } = record.config
  const columns = [...new Set([...own, ...(filter ? filterColumns(dataset, filter) : [])])]
  return [
    head(result),
    readingPart(
      dataset,
      columns.sort((a, b) => a - b),
    ),
    preparing(result),
    isApproximate(record.variant) ? assigning(result) : clustering(result),
    ending(result),
  ].join('')
}

function head({ record, dataset }: RunResult): string {
  const hasDates = dataset.columns.some(({ date }) => date !== undefined)
  return `# A k-means run of Centroid Lab ${appVersion()}, made again with scikit-learn: needs numpy and scikit-learn.
# ${comment(record.file.name)}, ${record.startedAt}; SHA-256 of the file ${record.file.sha256 ?? 'not known'}.
# The same as: ${comment(shellText([programName, ...runCommandLine(record)]))}
import csv
${hasDates ? 'import datetime\n' : ''}import re
import sys

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin

PATH = ${text(dataset.file.path || record.file.path || record.file.name)}
`
}

/** The same points, in engine units: scaled data over a power of two. */
function preparing(result: RunResult): string {
  const { record, points, dataset } = result
  const { features, isUnitLength } = placementOf(result)
  const { config } = record
  const values = record.features.map(({ index, category }) =>
    category === undefined ? `column(${index})` : `indicator(column(${index}), ${text(category)})`,
  )
  const hasTexts = record.features.some(({ category }) => category !== undefined)
  const fills = points.transform.fill
  return `${hasTexts ? indicator : ''}
# Features: ${comment(record.features.map(({ name }) => name).join(', '))}.
values = np.column_stack([${values.join(', ')}])
${filterLine(record, dataset)}${
    fills === null
      ? `# Missing values: ${config.missing}.\n`
      : `# Missing values: the ${config.missing} of the column.\nvalues = np.where(np.isnan(values), ${list([...fills])}, values)\n`
  }used = np.flatnonzero(keep & ~np.isnan(values).any(axis=1))
X = values[used]
${isUnitLength ? unitLength : ''}# Scaling ${config.scaling}: (value - offset) / step is the scaled value over 2^${points.exponent}, which KMeans does not mind.
OFFSET = np.array(${list(features.map(({ offset }) => offset))})
STEP = np.array(${list(features.map(({ step }) => step))})
SCALE = ${number(2 ** points.exponent)}
X = ((X - OFFSET) / STEP).astype(np.${precisionOf(record)}).astype(np.float64)
`
}

function filterLine({ config }: RunResult['record'], dataset: RunResult['dataset']): string {
  if (!config.filter) return 'keep = np.ones(len(values), dtype=bool)\n'
  return `# Rows: ${comment(filterText(config.filter))}\nkeep = ${filterExpression(dataset, config.filter)}\n`
}

const indicator = `
def indicator(texts, text):
    """1 where a column has a text, 0 where it has another, NaN where it has none."""
    return np.where(missing(texts), np.nan, (texts == text).astype(np.float64))

`

const unitLength = `# Every row has length 1.
largest = np.abs(X).max(axis=1, keepdims=True)
X = X / np.where(largest == 0, 1, largest)
norm = np.sqrt((X * X).sum(axis=1, keepdims=True))
X = X / np.where(norm == 0, 1, norm)
`

function rows(centroids: ArrayLike<number>, k: number, d: number): string {
  const all = Array.from({ length: k }, (_, cluster) => centroidRow(centroids, cluster, d))
  return all.flatMap((row) => (row === null ? [] : [`    ${list(row)},\n`])).join('')
}

function clustering({ record, initialCentroids, centroids }: RunResult): string {
  const { config, k, d, tolerance, iterations, stopped } = record
  const [limit, tol, says] =
    config.stop === 'relative-shift'
      ? [
          config.maxIterations,
          tolerance,
          `the same rule as ours, relative-shift: the squared shift of all centroids against tol times the mean variance`,
        ]
      : [
          Math.max(1, iterations),
          0,
          `scikit-learn has no rule ${config.stop} (tolerance ${tolerance}); the run ended after ${iterations} iterations by ${stopped}, and so does this one`,
        ]
  const dropped = rows(centroids, k, d).split('\n').length - 1 < k
  const empty = `# Where a cluster runs empty, scikit-learn moves it to a far point; this run had "${config.empty}".\n`
  const best =
    record.restarts.length > 1
      ? `# The best of ${record.restarts.length} starts: run ${record.bestRun}, seed ${record.seed}.\n`
      : ''
  return `
${best}# Start: ${config.init}, seed ${record.seed}.
START = np.array([
${rows(initialCentroids, k, d)}])
# Stop: ${says}.
# scikit-learn moreover ends as soon as no label changes, with the same result.
${empty}model = KMeans(n_clusters=${k}, init=START, n_init=1, max_iter=${limit}, tol=${number(tol)}, algorithm="lloyd")
found = model.fit_predict(X)
inertia = model.inertia_ * SCALE**2
${dropped ? '# This run dropped clusters that ran empty, which scikit-learn does not.\n' : ''}`
}

/** Centroids of a mini-batch run are means of samples: no other program draws the same. */
function assigning({ record, centroids }: RunResult): string {
  const { k, d, variant } = record
  return `
# ${variant} looks at samples of the points, which scikit-learn draws otherwise: the centroids are those of the run.
CENTROIDS = np.array([
${rows(centroids, k, d)}])
found = pairwise_distances_argmin(X, CENTROIDS)
inertia = ((X - CENTROIDS[found]) ** 2).sum() * SCALE**2
`
}

function ending({ record }: RunResult): string {
  return `
labels = np.full(len(values), -1)
labels[used] = found
IS_CONVERGED = ${truth(record.converged)}
print(f"{len(used)} rows in {len(set(found))} clusters, inertia {inertia:.10g} (here it was ${record.inertia})")

if __name__ == "__main__" and len(sys.argv) > 1:
    np.savetxt(sys.argv[1], labels, fmt="%d")  # python3 this.py labels.txt
`
}
