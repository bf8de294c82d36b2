import { statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { checkTarget, writeAtomically } from '@engine/export/atomic-file'
import { takesNothing } from '@engine/export/make-folder'
import { throwIfAborted } from '@engine/slices'
import { LabError } from '@shared/errors'
import type { GeneratorFormat, GeneratorSpec } from '@shared/generator'
import { estimatedFileBytes } from '@shared/generator-text'
import { formatBytes } from '@shared/quantity-words'
import { csvHeader, headedLines } from './header'
import { generatePoints } from './points'
import { RowText } from './row-text'

/** Coordinates formatted between two writes: about 160 KiB of text. */
const blockValues = 1 << 14

export interface WriteGeneratedOptions {
  readonly format: GeneratorFormat
  readonly path: string
  /** Replace an existing file; otherwise it is refused. */
  readonly replace: boolean
  readonly signal: AbortSignal
  /** Told after every block. */
  readonly onRows: (rows: number) => void
}

/**
 * Writes the points of a spec to a file, whole or not at all; memory does not depend on their number.
 * @returns bytes written
 * @throws LabError `generate.spec`, `export.*` (folder missing, exists, disk full, ...), `cancelled`
 */
export async function writeGenerated(
  spec: GeneratorSpec,
  { format, path, replace, signal, onRows }: WriteGeneratedOptions,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const points = generatePoints(spec)
  await checkTarget(path, replace)
  await assertFitsInMemory(path, estimatedFileBytes(spec, format))
  const rows = Math.max(1, Math.min(spec.n, Math.floor(blockValues / spec.d)))
  const text = new RowText(points, format === 'csv' ? ',' : ' ', rows)
  return writeAtomically(path, { replace, signal }, async (sink) => {
    await sink.write(format === 'csv' ? csvHeader(spec.d) : headedLines(spec))
    for (let first = 0; first < spec.n; first += rows) {
      throwIfAborted(signal)
      const count = Math.min(rows, spec.n - first)
      await sink.writeBytes(text.block(first, count))
      onRows(first + count)
    }
  })
}

/** Estimates may be off by this share: only what surely does not fit is refused. */
const surely = 0.9

/** A disk that is too small is reported before it is full. */
async function assertFitsInMemory(path: string, bytes: number): Promise<void> {
  const disk = await statfs(dirname(path)).catch(() => null)
  // A folder of the system's own has no room at all, for any number of points.
  if (disk?.blocks === 0) throw takesNothing(dirname(path))
  const free = disk === null ? Infinity : disk.bavail * disk.bsize
  if (bytes * surely <= free) return
  throw new LabError(
    'io',
    'export.disk-full',
    `${basename(path)} would take about ${formatBytes(bytes)}, but the disk of ${dirname(path)} has ${formatBytes(free)} free: choose fewer points or another disk.`,
  )
}
