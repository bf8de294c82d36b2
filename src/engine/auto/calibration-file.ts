import { dirname, join } from 'node:path'
import { writeAtomically } from '../export/atomic-file'
import { makeFolder } from '../export/make-folder'
import { readTextWithin } from '../bounded-file'
import { cacheFolder } from '../cache-folder'
import type { Cost } from './cost-model'

/** Measured costs by contender (see nameOf); null for one that failed, which is not kept on disk. */
export type Costs = Readonly<Record<string, Cost | null>>

/** 2: sessions apart from what is paid once. An older file is measured anew. */
const format = 2
/** A cost is some hundred bytes, and contenders are some dozens. */
const maxBytes = 2 ** 20

export function calibrationPath(folder: string = cacheFolder()): string {
  return join(folder, 'calibration.json')
}

/** The costs kept for this machine; none when the file is absent, damaged, far too large or of another machine or version. */
export async function readCosts(path: string, machine: string): Promise<Costs> {
  try {
    const read = await readTextWithin(path, maxBytes)
    if (read.kind !== 'text') return {}
    const content: unknown = JSON.parse(read.text)
    return isCalibration(content, machine) ? content.costs : {}
  } catch {
    return {}
  }
}

/** Keeps the costs. A folder that cannot be written is no reason to fail: they are measured again next time. */
export async function writeCosts(path: string, machine: string, costs: Costs): Promise<void> {
  try {
    await makeFolder(dirname(path))
    const measured = Object.fromEntries(Object.entries(costs).filter(([, cost]) => cost !== null))
    const text = `${JSON.stringify({ format, machine, costs: measured }, null, 2)}\n`
    await writeAtomically(path, { replace: true, signal: new AbortController().signal }, (sink) =>
      sink.write(text),
    )
  } catch {
    // Read-only or full home: the costs stay in memory for this process.
  }
}

function isCalibration(content: unknown, machine: string): content is { costs: Costs } {
  if (!isRecord(content) || content.format !== format || content.machine !== machine) return false
  return isRecord(content.costs) && Object.values(content.costs).every(isCost)
}

function isCost(value: unknown): value is Cost {
  if (!isRecord(value)) return false
  const { onceMs, openMs, openPerCoordinateMs, fixedMs, perCoordinateMs, perProductMs, isRough } = value
  const times = [onceMs, openMs, openPerCoordinateMs, fixedMs, perCoordinateMs, perProductMs]
  return typeof isRough === 'boolean' && times.every((ms) => typeof ms === 'number' && ms >= 0)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
