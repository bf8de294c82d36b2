import type { ContenderLook } from '../contender-look'
import { headWord } from '../table'
import { label, mark, quietInk } from './svg'

/** What a study published: the mark of its measured counterpart, hollow. */
export function publishedMark(x: number, y: number, look: ContenderLook): string {
  return mark(x, y, look, true)
}

/** The one entry of a legend for all of them. */
export function publishedEntry(x: number, y: number): string {
  return (
    publishedMark(x, y, { colour: quietInk, shape: 'circle' }) + label(x + 10, y + 4, headWord('published'))
  )
}
