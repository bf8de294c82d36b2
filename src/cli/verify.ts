import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hashed } from '@engine/dataset/dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import type { RunResult } from '@engine/run/types'
import { compareRuns } from '@engine/verify/compare-runs'
import { readKeptRun, type KeptRun } from '@engine/run-file/kept-run'
import { configAgain, keptOverrides } from '@engine/run-file/make-again'
import { findFiles } from '@engine/session/find-files'
import { LabError } from '@shared/errors'
import { printable, printableJson } from '@shared/printable'
import type { RunVerification, Verdict } from '@shared/verification'
import type { CliIo } from './io'
import { loadData } from './load-data'
import { applyMemoryChoice } from './memory-arguments'
import { Progress } from './progress'
import { textTable } from './text-table'
import type { VerifyOptions } from './verify-arguments'
import { watchRun } from './watch-run'

/** `centroid-lab verify`: makes a kept run again and says whether it is the same. @returns 0, or 1 where it differs */
export async function verify(options: VerifyOptions, io: CliIo): Promise<number> {
  const progress = new Progress(io.stderr)
  try {
    applyMemoryChoice(options.memory)
    const path = resolve(options.file)
    const kept = await readKeptRun(path)
    const found = compareRuns(kept, await runAgain(kept, path, options, io, progress))
    progress.clear()
    io.stdout.write(options.json ? verificationJson(found) : verificationText(found))
    return found.verdict === 'different' ? 1 : 0
  } finally {
    progress.clear()
  }
}

async function runAgain(
  kept: KeptRun,
  path: string,
  { data, engine }: VerifyOptions,
  { signal }: CliIo,
  progress: Progress,
): Promise<RunResult> {
  const file = await dataFile(kept, path, data)
  const config = configAgain(kept, engine)
  const dataset = await loadData({ file, overrides: await keptOverrides(kept, file) }, { signal }, progress)
  if ((await hashed(dataset)).file.sha256 !== kept.file.sha256) throw otherData(kept, file)
  return runKmeans(dataset, config, watchRun(progress, config), signal)
}

/** As named, or beside run.json, or in the working folder, or below run.json's by its contents. @throws LabError where there is none */
async function dataFile({ file }: KeptRun, path: string, named: string | null): Promise<string> {
  if (named !== null) return named
  for (const folder of [dirname(path), process.cwd()]) {
    const found = join(folder, file.name)
    if (
      await stat(found).then(
        (facts) => facts.isFile(),
        () => false,
      )
    )
      return found
  }
  const { bytes, sha256 } = file
  const renamed = await findFiles(dirname(path), [{ id: file.name, bytes, sha256 }])
  const found = renamed.get(file.name)
  if (found !== undefined) return found
  const message = `The data file ${file.name} is neither beside run.json, under whatever name, nor in this folder: name it by --data.`
  throw new LabError('input', 'verify.data', message)
}

function otherData({ file }: KeptRun, found: string): LabError {
  const message = `${found} is not the file that was clustered: its SHA-256 is not ${file.sha256}; name the right one by --data.`
  return new LabError('input', 'verify.other-data', message)
}

const sentences: Readonly<Record<Verdict, string>> = {
  identical: 'Identical: labels, centroids and inertia are the same to the last bit.',
  'within-bound': 'The same within the bound of the variant, but not to the last bit.',
  different: 'Different: this is another result.',
}

function verificationJson(found: RunVerification): string {
  const { verdict, keptSha256, resultSha256, differences, reasons } = found
  return `${printableJson({
    verdict,
    ...{ kept_sha256: keptSha256, result_sha256: resultSha256 },
    ...{ differences, reasons },
  })}\n`
}

function verificationText({
  verdict,
  keptSha256,
  resultSha256,
  differences,
  reasons,
}: RunVerification): string {
  const rows = differences.map(({ what, kept, now }) => [what, kept, now])
  return [
    `${sentences[verdict]}\n`,
    `Result SHA-256  ${resultSha256}\n`,
    ...(verdict === 'identical' && keptSha256 === null
      ? ['run.json has no SHA-256 of its result: centroids, sizes and inertia were compared.\n']
      : []),
    ...(rows.length > 0 ? ['\n', textTable(['what', 'kept', 'now'], rows, ['what', 'kept', 'now'])] : []),
    ...(reasons.length > 0 ? ['\nWhy it may be:\n', ...reasons.map((text) => `- ${printable(text)}\n`)] : []),
  ].join('')
}
