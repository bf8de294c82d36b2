import { cancelled, LabError } from '@shared/errors'
import type { ColumnarFormat } from '@shared/dataset'

export const formatNames: Readonly<Record<ColumnarFormat, string>> = {
  npy: 'NumPy',
  parquet: 'Parquet',
  arrow: 'Arrow',
}

/** Why a file that has columns of its own is refused, and what to do. */
export function columnarRefusal(
  format: ColumnarFormat,
  path: string,
  why: string,
  remedy: string,
  details?: string,
): LabError {
  const sentence = `The ${formatNames[format]} file ${path} ${why}: ${remedy}.`
  return new LabError('input', `csv.${format}`, sentence, details)
}

export function damagedFile(format: ColumnarFormat, path: string, details: string): LabError {
  return columnarRefusal(format, path, 'is damaged or cut off', 'write or fetch it again', details)
}

/** What a library throws at bytes it does not understand says nothing to a person; what we or the system say does. */
export async function orDamaged<T>(
  format: ColumnarFormat,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof LabError || (thrown instanceof Error && 'syscall' in thrown)) throw thrown
    if (thrown instanceof Error && thrown.name === 'AbortError') throw cancelled()
    throw damagedFile(format, path, thrown instanceof Error ? thrown.message : String(thrown))
  }
}
