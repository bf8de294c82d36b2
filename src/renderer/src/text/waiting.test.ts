import { describe, expect, it } from 'vitest'
import { loadingProgress, remainingAt, writingProgress } from './waiting'

describe('what is waited for', () => {
  it('is told in rows, bytes and a share', () => {
    expect(loadingProgress(null)).toEqual({ words: 'Looking at the file…', share: null })
    const progress = { path: '', rows: 12, bytes: 2 ** 20, totalBytes: 4 * 2 ** 20 }
    expect(loadingProgress(progress)).toEqual({
      words: '12 rows so far, 1.0 MiB of 4.0 MiB (25 %)',
      share: 0.25,
    })
    expect(writingProgress(1, 8)).toEqual({ words: '1 of 8 rows (12 %)', share: 0.125 })
  })

  it('never has a share beyond all of it, nor one of nothing', () => {
    expect(writingProgress(9, 8).share).toBe(1)
    expect(writingProgress(0, 0).share).toBe(0)
  })

  it('tells what is left once enough is known', () => {
    expect(remainingAt(0.25, 3000)).toBe('about 9 s left')
    expect(remainingAt(null, 3000)).toBe('')
    expect(remainingAt(0.25, 100)).toBe('')
    expect(remainingAt(0.001, 3000)).toBe('')
    expect(remainingAt(1, 3000)).toBe('')
  })
})
