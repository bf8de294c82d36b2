import type { Coordinates } from '../engines/engine'
import { LabError } from '@shared/errors'
import type { ColumnInfo } from '@shared/dataset'
import { readCentroidFile } from '../csv/centroid-file'
import type { PreparedPoints } from '../dataset/prepared'

/** Centroids this far out (engine units; the points lie within 1) would overflow float32 when squared. */
const farthest = 2 ** 60

/** The centroids of a file, (k, d) in engine units. @throws LabError when they do not fit the run. */
export async function centroidsFromFile(
  points: PreparedPoints,
  features: readonly ColumnInfo[],
  path: string | null,
  k: number,
): Promise<Coordinates> {
  if (path === null) {
    throw new LabError(
      'input',
      'init.no-file',
      "The initialisation 'file' needs a centroid file: choose one, or name it with --centroids.",
    )
  }
  const file = await readCentroidFile(path, features)
  if (file.k !== k) {
    throw new LabError(
      'input',
      'init.file-k',
      `The centroid file ${path} holds ${file.k} centroids but k is ${k}: set k to ${file.k} or choose another file.`,
    )
  }
  const centroids = points.toEngine(file.values, k)
  const outside = centroids.findIndex((value) => !(Math.abs(value) <= farthest))
  if (outside < 0) return centroids
  const row = Math.floor(outside / points.d) + 1
  const name = features[outside % points.d].name
  throw new LabError(
    'input',
    'init.file-range',
    `Centroid ${row} of ${path} lies too far from the data in column ${name}: check that the file belongs to this dataset.`,
  )
}
