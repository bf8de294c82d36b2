import { hashed, type Dataset } from '@engine/dataset/dataset'
import { Spool } from '@engine/host/spool'
import type { Scan, StoredScan } from '@engine/scan/scan'
import { cancelled, LabError } from '@shared/errors'
import { plural } from '@shared/quantity-words'
import type { ScanConfig } from '@shared/scan'
import { dataKey, digest, isCancel } from './checkpoint-name'
import type { CliIo } from './io'
import { checkTargets } from './target-folder'

/** A scan is written down at most this often: shorter ones are soon made again. */
const everyMs = 1000

/**
 * A scan with its finished restarts kept in a folder while it works: the same command, given again after its process was ended by
 * whatever, goes on from there, also with another range of k. Nothing stays of a scan that is done and concluded.
 * @param work carries it out, and calls what it is given after each restart and each k
 * @param conclude does with the result what was asked for
 * @throws LabError what the work throws; `export.*` where the folder takes no files
 */
export async function scanKept(
  folder: string,
  scan: Scan,
  config: ScanConfig,
  io: CliIo,
  work: (progressed: () => void) => Promise<void>,
  conclude: () => Promise<void>,
): Promise<void> {
  const scanId = nameOf(await hashed(scan.dataset), config)
  await checkTargets(folder, [`${scanId}.scan`], true)
  const spool = new Spool(folder, undefined, (sentence) => io.stderr.write(`${sentence}\n`))
  // Half of one, from a process that was killed: this is the only one that writes there now.
  await spool.removeUnfinished()
  const stored = await spool.loadScan(scanId)
  if (stored !== null) {
    scan.restore(stored)
    io.stderr.write(`Going on after ${reachedWords(stored)} of an earlier start, kept in ${folder}.\n`)
  }
  const writer = writing(spool, scanId, scan)
  try {
    await work(writer.progressed)
    // Its files may find no room: until they are written it can be resumed.
    await conclude()
  } catch (thrown) {
    const isKept = await writer.last()
    if (!isCancel(thrown)) throw thrown
    throw stopped(folder, isKept)
  }
  await writer.idle()
  await spool.removeScan(scanId)
}

/** The same data and the same question, whatever computes it; a range of k takes over those of another. */
function nameOf(dataset: Dataset, { run, restarts, indices, silhouette }: ScanConfig): string {
  const { engine: _engine, device: _device, variant: _variant, timing: _timing, ...question } = run
  const key = [...dataKey(dataset), question, restarts, indices, silhouette]
  return `scan-${digest(JSON.stringify(key)).slice(0, 16)}`
}

/** One write after the other, and none of what a later one has. */
function writing(spool: Spool, scanId: string, scan: Scan) {
  let under: Promise<unknown> = Promise.resolve()
  let nextMs = performance.now() + everyMs
  return {
    progressed: () => {
      if (performance.now() < nextMs) return
      nextMs = Number.POSITIVE_INFINITY
      under = spool.saveScan(scanId, scan.stored()).finally(() => (nextMs = performance.now() + everyMs))
    },
    idle: () => under,
    last: async () => {
      await under
      const stored = scan.stored()
      return reached(stored) > 0 && (await spool.saveScan(scanId, stored))
    },
  }
}

function reached({ rows, pending }: StoredScan): number {
  return rows.reduce((sum, { restarts }) => sum + restarts.length, pending?.rows.length ?? 0)
}

function reachedWords(stored: StoredScan): string {
  return plural(reached(stored), 'restart')
}

function stopped(folder: string, isKept: boolean): LabError {
  const { kind, code } = cancelled()
  const sentence = isKept
    ? `its progress is kept in ${folder}: the same command resumes it.`
    : 'no restart was finished: the same command starts over.'
  return new LabError(kind, code, `Cancelled; ${sentence}`)
}
