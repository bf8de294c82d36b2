/** What a person waits for besides a run: a file that is read, files that are written. */
import type { DatasetProgress } from '@shared/dataset'
import { formatBytes, formatCount, plural } from './numbers'
import { remainingWords } from './remaining'
import { t } from '@/i18n'

/** How far something is: 0 to 1, or null where nobody knows yet. */
export type Share = number | null

export interface Progress {
  readonly words: string
  readonly share: Share
}

/** Less time or a smaller share says nothing about the speed. */
const minMs = 700
const minShare = 0.02

const percent = (share: number): string => `${Math.floor(share * 100)} %`

const shareOf = (done: number, total: number): number => (total > 0 ? Math.min(1, done / total) : 0)

/** `120 000 rows so far, 3.0 MiB of 12 MiB (25 %)`. */
export function loadingProgress(progress: DatasetProgress | null): Progress {
  if (progress === null) return { words: t('window.lookingAtTheFile'), share: null }
  const { rows, bytes, totalBytes } = progress
  const share = shareOf(bytes, totalBytes)
  const read = t('window.of', [formatBytes(bytes), formatBytes(totalBytes)])
  return { words: t('window.soFar', [plural(rows, 'row'), read, percent(share)]), share }
}

/** `3.0 MiB of 12 MiB (25 %)`. */
export function readingProgress(bytes: number, totalBytes: number): Progress {
  const share = shareOf(bytes, totalBytes)
  const read = t('window.of', [formatBytes(bytes), formatBytes(totalBytes)])
  return { words: `${read} (${percent(share)})`, share }
}

/** `1 000 of 5 000 rows (20 %)`. */
export function writingProgress(rows: number, totalRows: number): Progress {
  const share = shareOf(rows, totalRows)
  return { words: t('window.ofRows', [formatCount(rows), formatCount(totalRows), percent(share)]), share }
}

/** `about 12 s left`, from a speed that is taken to stay; empty while too little is known. */
export function remainingAt(share: Share, elapsedMs: number): string {
  if (share === null || share < minShare || share >= 1 || elapsedMs < minMs) return ''
  return remainingWords({ kind: 'about', ms: (elapsedMs * (1 - share)) / share })
}
