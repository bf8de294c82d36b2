import { randomUUID } from 'node:crypto'
import { headBytes, inspectHead, type Inspection } from '@engine/csv/inspect'
import { TableBuilder } from '@engine/csv/table-builder'
import type { Dataset } from '@engine/dataset/dataset'
import { freeBytes, sizeOf } from '@engine/memory'
import { Slices } from '@engine/slices'
import { LabError } from '@shared/errors'
import { generatedName, type GeneratorSpec } from '@shared/generator'
import { validateGeneratorSpec } from '@shared/generator-limits'
import { csvHeader } from './header'
import { nativeRows } from './native-rows'
import { generatePoints, type GeneratedPoints } from './points'
import { RowText } from './row-text'

/** Coordinates made between two looks at the clock. */
const blockValues = 1 << 14
/** And by the addon's threads: enough for all of them, few enough to be taken over within a slice. */
const nativeBlockValues = 1 << 20

/** Rows whose text is inspected: more than the reader of a file samples. */
const inspectedRows = 256

/** Bytes that the dataset of a spec takes in memory. */
export function generatedBytes({ n, d }: GeneratorSpec): number {
  return 4 * n * d
}

/**
 * The dataset of a spec, made in memory: the same columns, types and values as reading the CSV that
 * `writeGenerated` makes of it. It has no file: `file.path` is empty, and what would read the file again says so.
 * Gives way to other events about every 20 ms.
 * @throws LabError `generate.spec`, `generate.memory`, `cancelled`
 */
export async function generateDataset(spec: GeneratorSpec, signal: AbortSignal): Promise<Dataset> {
  const began = performance.now()
  const slices = new Slices(signal)
  validateGeneratorSpec(spec)
  requireMemory(spec)
  const points = generatePoints(spec)
  const inspection = inspectGenerated(spec, points)
  const table = new TableBuilder(inspection, {})
  const native = nativeRows(spec, points)
  const rows = Math.max(1, Math.floor((native === null ? blockValues : nativeBlockValues) / spec.d))
  const block = new Float64Array(Math.min(rows, spec.n) * spec.d)
  for (let first = 0; first < spec.n; first += rows) {
    const count = Math.min(rows, spec.n - first)
    if (native === null) points.values(first, count, block)
    else await native(first, block.subarray(0, count * spec.d))
    table.addNumbers(block, count)
    await slices.next()
  }
  return table.finish(randomUUID(), inspection.file, performance.now() - began)
}

/** What the reader would find in the first block of the file. */
function inspectGenerated(spec: GeneratorSpec, points: GeneratedPoints): Inspection {
  const rows = Math.min(spec.n, inspectedRows)
  const text = new RowText(points, ',', rows)
  const all = Buffer.concat([Buffer.from(csvHeader(spec.d)), text.block(0, rows)])
  const head = all.subarray(0, headBytes)
  const file = { path: '', name: generatedName(spec), bytes: 0, sha256: null, modifiedMs: Date.now() }
  return inspectHead(file, head, rows === spec.n && head.length === all.length, {})
}

function requireMemory(spec: GeneratorSpec): void {
  const need = generatedBytes(spec)
  const free = freeBytes()
  if (need <= free) return
  throw new LabError(
    'input',
    'generate.memory',
    `${spec.n} points of ${spec.d} features would need ${sizeOf(need)} of memory, but ${sizeOf(free)} are free: choose fewer points or features.`,
  )
}
