/** Ratios of two systems of a study beside those measured here, for each engine that ran both. */
import { workloadsOf } from './counted'
import type { Workload } from './counted'
import { counts } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { contenderParts } from './contender-look'
import { isRunOf } from './published-match'
import { ratioFromMade } from './scaled'
import { rowsByWorkload, workloadId } from './cells'
import { medianOf } from './statistics'
import type { PublishedRatio } from './suite'
import { isLikeWork } from './verdict'

/** Of one dataset and k. */
export interface MeasuredRatio {
  readonly workload: Workload
  /** The faster system's row, and the row whose median is divided by its own. */
  readonly row: Measurement
  readonly over: Measurement
  readonly ratio: number
  /** How the two times were scaled; null where both are as measured. */
  readonly scaled: string | null
  /** Words of 4 bytes that cross between host and device in an iteration of `over`; null where that is not known. */
  readonly words: number | null
}

/** A published ratio with what one device here gives for it. */
export interface RatioComparison {
  readonly published: PublishedRatio
  /** Device of the first contender, e.g. `cuda:0`; null where nothing was measured. */
  readonly device: string | null
  readonly measured: readonly MeasuredRatio[]
  /** The same variants on WebGPU, where the study's system is CUDA's. */
  readonly standsIn: boolean
}

const deviceEngines = ['cuda', 'webgpu'] as const
const bytesOfWord = 4

/** For each published ratio one comparison a device that has it, CUDA before WebGPU; without any, one that is empty. */
export function ratioComparisons(document: BenchmarkDocument): readonly RatioComparison[] {
  return (document.suite.publication?.ratios ?? []).flatMap((published) => {
    const found = enginesOf(published).flatMap((engine) => onEngine(document, published, engine))
    const none = { published, device: null, measured: [], standsIn: false }
    return found.length === 0 ? [none] : found
  })
}

function enginesOf({ contender }: PublishedRatio): readonly string[] {
  const { family } = contenderParts(contender)
  return family === 'cuda' ? deviceEngines : [family ?? '']
}

function onEngine(
  document: BenchmarkDocument,
  published: PublishedRatio,
  engine: string,
): readonly RatioComparison[] {
  const standsIn = engine !== contenderParts(published.contender).family
  const pairs = workloadsOf(document)
    .filter(({ k }) => k === published.k)
    .flatMap((workload) => pairsAt(document, workload, keysOn(published, engine)))
  const devices = [...new Set(pairs.map(({ row }) => row.device))]
  return devices.map((device) => ({
    ...{ published, device, standsIn },
    measured: pairs.filter(({ row }) => row.device === device),
  }))
}

/** Keys of the two contenders with the study's engine replaced by another one; the processor stays. */
function keysOn({ contender, over }: PublishedRatio, engine: string) {
  const moved = (key: string) => {
    const { family, variant } = contenderParts(key)
    return family === 'cuda' ? `${engine}/${variant}` : key
  }
  return { contender: moved(contender), over: moved(over) }
}

function pairsAt(
  document: BenchmarkDocument,
  workload: Workload,
  { contender, over }: { readonly contender: string; readonly over: string },
): readonly MeasuredRatio[] {
  const rows = (rowsByWorkload(document.rows).get(workloadId(workload)) ?? []).filter(counts)
  return rows
    .filter((row) => isRunOf(row, contender))
    .flatMap((row) => {
      const base = rows.find((one) => isRunOf(one, over) && isOfDevice(one, row))
      return base === undefined ? [] : pairOf(workload, row, base)
    })
}

/** Two variants of a device are compared on that device, and either with the processor. */
function isOfDevice(base: Measurement, row: Measurement): boolean {
  return base.engine !== row.engine || base.device === row.device
}

function pairOf(workload: Workload, row: Measurement, over: Measurement): readonly MeasuredRatio[] {
  const [fast, slow] = [medianOf(row.totalsMs), medianOf(over.totalsMs)]
  if (!isLikeWork(row, over) || !(fast > 0)) return []
  const bytes = over.hostDeviceBytesPerIteration
  const words = bytes === null ? null : bytes / bytesOfWord
  return [{ workload, row, over, ratio: slow / fast, scaled: ratioFromMade(row, over), words }]
}

/** Smallest, mean and largest of some ratios; null without any. */
export function spreadOf(ratios: readonly number[]) {
  if (ratios.length === 0) return null
  const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length
  return { min: Math.min(...ratios), mean, max: Math.max(...ratios) }
}
