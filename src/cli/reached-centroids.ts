import type { Coordinates } from '@engine/engines/engine'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { preparationOf } from '@engine/dataset/preparation'
import { prepare } from '@engine/dataset/prepare'
import type { Dataset } from '@engine/dataset/dataset'
import { writeAtomically } from '@engine/export/atomic-file'
import { csvForm } from '@engine/export/csv-text'
import { makeFolder } from '@engine/export/make-folder'
import type { RunConfig } from '@shared/run-config'

const base = 'reached-centroids'

/**
 * Writes where a run stood that could not go on, in the form that `--centroids` reads.
 * @param reached (k, d) engine units
 * @returns the file, which replaces none; null where centroids cannot be told in units of the file (`unit-length`)
 */
export async function writeReached(
  folder: string,
  dataset: Dataset,
  config: RunConfig,
  reached: Coordinates,
  signal: AbortSignal,
): Promise<string | null> {
  const { features, preparation } = preparationOf(dataset, config)
  const points = await prepare(dataset, preparation, signal)
  const { k } = config
  const centroids = points.toFile(reached, k)
  if (centroids === null) return null
  await makeFolder(folder)
  const form = csvForm({ neutralise: false })
  const rows = Array.from({ length: k }, (_, c) => centroids.subarray(c * points.d, (c + 1) * points.d))
  const path = freePath(folder)
  await writeAtomically(path, { replace: false, signal }, async (sink) => {
    await sink.write(form.line(features.map(({ name }) => name)))
    for (const row of rows) await sink.write(form.line(Array.from(row, form.number)))
  })
  return path
}

/** What an earlier run of this kind had reached stays. */
function freePath(folder: string): string {
  for (let suffix = 0; ; suffix++) {
    const path = join(folder, `${base}${suffix === 0 ? '' : `-${suffix}`}.csv`)
    if (!existsSync(path)) return path
  }
}
