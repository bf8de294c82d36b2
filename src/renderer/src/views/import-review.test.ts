import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, type EffectScope } from 'vue'
import { preview } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useImportReview } from './import-review'

let scope: EffectScope

beforeEach(() => {
  vi.useFakeTimers()
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
})

function start(answer: (overrides: ImportOverrides) => unknown) {
  const { lab } = freshWindow({ 'app.preview': ({ overrides }) => answer(overrides) })
  const detected = preview()
  const source = { token: 't', name: 'odd.csv', detected, preview: detected, overrides: {} }
  const review = scope.run(() => useImportReview({ source, again: false }))
  if (!review) throw new Error('the scope is stopped')
  return { lab, review }
}

/** A preview as the host gives it under some overrides. */
function under(overrides: ImportOverrides) {
  const plain = preview()
  const { columnTypes: _types, ...dialect } = overrides
  return preview({ receipt: { ...plain.receipt, dialect: { ...plain.receipt.dialect, ...dialect } } })
}

describe('a change in the import preview', () => {
  it('is asked about once, when the changes pause', async () => {
    const { lab, review } = start(under)
    review.change({ delimiter: ';' })
    vi.advanceTimersByTime(100)
    review.change({ delimiter: ';', decimal: ',' })
    vi.advanceTimersByTime(100)
    expect(lab.asked).toEqual([])
    await vi.advanceTimersByTimeAsync(50)
    expect(lab.asked).toEqual([
      { channel: 'app.preview', params: { token: 't', overrides: { delimiter: ';', decimal: ',' } } },
    ])
    expect(review.preview.value.receipt.dialect).toMatchObject({ delimiter: ';', decimal: ',' })
    expect(review.asking.value).toBe(false)
  })

  it('keeps what was detected beside what was set', async () => {
    const { review } = start(under)
    review.change({ delimiter: ';' })
    await vi.advanceTimersByTimeAsync(150)
    expect(review.preview.value.receipt.dialect.delimiter).toBe(';')
    expect(review.dialect.value.delimiter).toBe(',')
  })

  it('drops an answer that a newer one has overtaken', async () => {
    const answers = new Map<string, () => void>()
    const { review } = start(
      (overrides) =>
        new Promise((resolve) => answers.set(overrides.delimiter ?? '', () => resolve(under(overrides)))),
    )
    review.change({ delimiter: ';' })
    await vi.advanceTimersByTimeAsync(150)
    review.change({ delimiter: '|' })
    await vi.advanceTimersByTimeAsync(150)
    answers.get('|')?.()
    await vi.advanceTimersByTimeAsync(0)
    answers.get(';')?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(review.preview.value.receipt.dialect.delimiter).toBe('|')
  })

  it('that does not fit is said in a sentence and can be mended', async () => {
    const { review } = start((overrides) => {
      if (overrides.encoding === 'utf-16le')
        throw new LabError('input', 'csv.binary', 'odd.csv is not UTF-16; choose another encoding.')
      return under(overrides)
    })
    review.change({ encoding: 'utf-16le' })
    await vi.advanceTimersByTimeAsync(150)
    expect(review.error.value).toBe('odd.csv is not UTF-16; choose another encoding.')
    expect(await review.whenReviewed()).toBeNull()
    review.change({ encoding: 'latin1' })
    await vi.advanceTimersByTimeAsync(150)
    expect(review.error.value).toBeNull()
  })

  it('is looked at before the file loads, however quick the hand', async () => {
    const { lab, review } = start(under)
    review.change({ header: false })
    const whenReviewed = await review.whenReviewed()
    expect(lab.asked).toHaveLength(1)
    expect(whenReviewed).toMatchObject({ overrides: { header: false } })
    expect(whenReviewed?.preview.receipt.dialect.header).toBe(false)
  })

  it('is forgotten when the preview is left', async () => {
    const { lab, review } = start(under)
    review.change({ header: false })
    scope.stop()
    await vi.advanceTimersByTimeAsync(500)
    expect(lab.asked).toEqual([])
  })
})
