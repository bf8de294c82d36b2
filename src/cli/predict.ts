import { dirname, resolve } from 'node:path'
import { writeAssignments } from '@engine/export'
import { checkTarget } from '@engine/export/atomic-file'
import { asOnlyWriter } from '@engine/export/folder-lock'
import { refuseSource } from '@engine/export/refuse-source'
import { keptTypes, type KeptRun } from '@engine/run-file/kept-run'
import { keptRunAt } from '@engine/session/kept-run-of-session'
import { predictRows, type PredictedRows } from '@engine/predict/predict-rows'
import { explainForce } from './explain-force'
import type { CliIo } from './io'
import { loadData } from './load-data'
import { applyMemoryChoice } from './memory-arguments'
import type { PredictOptions } from './predict-arguments'
import { predictJson, predictText } from './predict-output'
import { Progress } from './progress'

/** `centroid-lab predict`: rows of a file assigned to the centroids of a run.json, or of a run of a session. @returns exit status 0 */
export async function predict(options: PredictOptions, io: CliIo): Promise<number> {
  const progress = new Progress(io.stderr)
  try {
    applyMemoryChoice(options.memory)
    const output = options.output === null ? null : resolve(options.output)
    if (output !== null) await refuseTarget(resolve(options.file), output, options.force)
    const kept = await keptRunAt(resolve(options.model), options.run)
    const dataset = await loadData(withKeptTypes(options, kept), io, progress)
    progress.update(`assigning ${dataset.rows} rows`)
    const rows = await predictRows(dataset, kept, io.signal)
    if (output !== null) await write(rows, output, options, io, progress)
    progress.clear()
    io.stdout.write(
      options.json ? predictJson(rows.prediction, output) : predictText(rows.prediction, output),
    )
    return 0
  } finally {
    progress.clear()
  }
}

/** A type that is given here goes before the kept one. */
function withKeptTypes(options: PredictOptions, kept: KeptRun): PredictOptions {
  const given = new Set(options.columnTypes.map(({ name }) => name))
  const others = keptTypes(kept).filter(({ name }) => !given.has(name))
  return { ...options, columnTypes: [...options.columnTypes, ...others] }
}

/** Before any work. */
async function refuseTarget(source: string, output: string, replace: boolean): Promise<void> {
  await refuseSource(source, output)
  await checkTarget(output, replace).catch((thrown: unknown) => {
    throw explainForce(thrown, 'file')
  })
}

async function write(
  { labelled }: PredictedRows,
  output: string,
  { force, text }: PredictOptions,
  { signal }: CliIo,
  progress: Progress,
): Promise<void> {
  const onProgress = (rows: number) => progress.update(`writing ${output}: ${rows} rows`)
  const options = { replace: force, signal, onProgress, ...text }
  await asOnlyWriter(dirname(output), () => writeAssignments(labelled, output, options))
}
