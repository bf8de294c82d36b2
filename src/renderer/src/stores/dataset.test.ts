import { comparisonDocument } from '@shared/benchmark/testing/document'
import { LabError } from '@shared/errors'
import { flushPromises } from '@vue/test-utils'
import { describe, expect, it, vi } from 'vitest'
import { documentAnswers } from '../../test/document-answers'
import { preview, summary } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { useBenchmarkStore } from './benchmark'
import { useConfigStore } from './config'
import { useDatasetStore } from './dataset'

const open = { 'app.open': ({ token }: { token: string }) => summary({ id: token }) }

describe('opening a file', () => {
  it('replaces the dataset and closes the one before', async () => {
    const { lab } = freshWindow(open)
    const dataset = useDatasetStore()
    await dataset.open('one', 'one.csv')
    await dataset.open('two', 'two.csv')
    expect(dataset.summary?.id).toBe('two')
    expect(dataset.source).toMatchObject({ token: 'two', name: 'two.csv', overrides: {} })
    expect(lab.asked.at(-1)).toEqual({ channel: 'dataset.close', params: { datasetId: 'one' } })
  })

  it('leaves the one before to the comparison that measures it', async () => {
    const { lab } = freshWindow({
      ...open,
      'app.bench-start': () => ({ benchId: 'fixture' }),
      ...documentAnswers(() => ({ ...comparisonDocument(), state: 'running', rows: [] })),
    })
    const [dataset, benchmark] = [useDatasetStore(), useBenchmarkStore()]
    benchmark.subscribe()
    benchmark.onOver(dataset.closeMeasured)
    await dataset.open('one', 'one.csv')
    const { suite } = comparisonDocument()
    const loaded = { kind: 'loaded', datasetId: 'one', name: 'one.csv' } as const
    await benchmark.start({ ...suite, cases: [{ dataset: loaded, k: [3] }] })
    await dataset.open('two', 'two.csv')
    expect(channelsOf(lab)).not.toContain('dataset.close')
    lab.emit('bench.event', { kind: 'done', benchId: 'fixture' })
    await flushPromises()
    expect(channelsOf(lab)).toContain('dataset.close')
  })

  it('leaves one dataset of twenty on the host', async () => {
    const { lab } = freshWindow(open)
    const dataset = useDatasetStore()
    for (let file = 0; file < 20; file++) await dataset.open(`file-${file}`, 'x.csv')
    const closed = lab.asked.filter(({ channel }) => channel === 'dataset.close')
    expect(closed.map(({ params }) => (params as { datasetId: string }).datasetId)).toEqual(
      Array.from({ length: 19 }, (_, file) => `file-${file}`),
    )
  })

  it('takes a dataset that cannot be closed for closed: its host is gone', async () => {
    freshWindow({
      ...open,
      'dataset.close': () => {
        throw new LabError('engine-lost', 'engine.lost', 'The engine process stopped.')
      },
    })
    const dataset = useDatasetStore()
    await dataset.open('one', 'one.csv')
    await dataset.open('two', 'two.csv')
    expect(dataset.error).toBeNull()
    expect(dataset.summary?.id).toBe('two')
  })

  it('keeps the open file when another cannot be read', async () => {
    freshWindow({
      'app.open': ({ token }) => {
        if (token === 'bad')
          throw new LabError('input', 'csv.empty', 'bad.csv is empty; choose another file.')
        return summary({ id: token })
      },
    })
    const dataset = useDatasetStore()
    await dataset.open('good', 'good.csv')
    await dataset.open('bad', 'bad.csv')
    expect(dataset.state).toBe('ready')
    expect(dataset.summary?.id).toBe('good')
    expect(dataset.source?.token).toBe('good')
    expect(dataset.error?.message).toBe('bad.csv is empty; choose another file.')
    dataset.reviewImport(dataset.refused)
    expect(dataset.review).toMatchObject({ source: { token: 'bad' }, again: false })
  })

  it('fails with the sentence when nothing was open', async () => {
    const { lab } = freshWindow({
      'app.preview': () => {
        throw new LabError('io', 'file.gone', 'gone.csv is no longer there; choose another file.')
      },
    })
    const dataset = useDatasetStore()
    await dataset.open('gone', 'gone.csv')
    expect(dataset.state).toBe('failed')
    expect(dataset.error?.code).toBe('file.gone')
    expect(channelsOf(lab)).toEqual(['app.preview'])
  })

  it('can be cancelled, and what arrives late is closed again', async () => {
    let finish = (): void => undefined
    const { lab } = freshWindow({
      'app.open': () => new Promise((resolve) => (finish = () => resolve(summary({ id: 'late' })))),
    })
    const dataset = useDatasetStore()
    const opening = dataset.open('slow', 'slow.csv')
    await vi.waitFor(() => expect(channelsOf(lab)).toContain('app.open'))
    await dataset.cancel()
    expect(dataset.state).toBe('empty')
    finish()
    await opening
    expect(channelsOf(lab)).toEqual(['app.preview', 'app.open', 'app.cancel-open', 'dataset.close'])
    expect(dataset.summary).toBeNull()
  })

  it('can be cancelled while the file is looked at', async () => {
    let finish = (): void => undefined
    const { lab } = freshWindow({
      'app.preview': () => new Promise((resolve) => (finish = () => resolve(preview({ doubtful: true })))),
    })
    const dataset = useDatasetStore()
    const opening = dataset.open('slow', 'slow.csv')
    await dataset.cancel()
    finish()
    await opening
    expect(dataset.review).toBeNull()
    expect(channelsOf(lab)).not.toContain('app.open')
  })

  it('lets the newest of two files win', async () => {
    const waiting = new Map<string, () => void>()
    const { lab } = freshWindow({
      'app.open': ({ token }) =>
        new Promise((resolve) => waiting.set(token, () => resolve(summary({ id: token })))),
    })
    const dataset = useDatasetStore()
    const first = dataset.open('first', 'first.csv')
    await vi.waitFor(() => expect(waiting.has('first')).toBe(true))
    const second = dataset.open('second', 'second.csv')
    await vi.waitFor(() => expect(waiting.has('second')).toBe(true))
    waiting.get('second')?.()
    await second
    waiting.get('first')?.()
    await first
    expect(dataset.summary?.id).toBe('second')
    expect(lab.asked.at(-1)).toEqual({ channel: 'dataset.close', params: { datasetId: 'first' } })
  })

  it('tells how far it is', async () => {
    const { lab } = freshWindow({ 'app.open': () => new Promise(() => undefined) })
    const dataset = useDatasetStore()
    dataset.subscribe()
    void dataset.open('slow', 'slow.csv')
    lab.emit('dataset.progress', { path: '', rows: 1000, bytes: 10, totalBytes: 20 })
    expect(dataset.progress?.rows).toBe(1000)
  })

  it('hands a folder on instead of reading it', async () => {
    const { lab } = freshWindow()
    const dataset = useDatasetStore()
    dataset.subscribe()
    lab.emit('app.open-file', { token: 'steps', name: 'steps', kind: 'folder' })
    expect(dataset.folder).toEqual({ token: 'steps', name: 'steps', kind: 'folder' })
    expect(dataset.state).toBe('empty')
    expect(lab.asked).toEqual([])
  })
})

describe('a file with something doubtful', () => {
  const doubtful = { ...open, 'app.preview': () => preview({ doubtful: true }) }

  it('opens the preview and loads only when told to, as told', async () => {
    const { lab } = freshWindow(doubtful)
    const dataset = useDatasetStore()
    await dataset.open('odd', 'odd.csv')
    expect(dataset.state).toBe('empty')
    expect(dataset.review).toMatchObject({ source: { token: 'odd' }, again: false })
    expect(channelsOf(lab)).toEqual(['app.preview'])
    if (dataset.review) await dataset.load({ ...dataset.review.source, overrides: { decimal: ',' } })
    expect(lab.asked.at(-1)).toEqual({
      channel: 'app.open',
      params: { token: 'odd', overrides: { decimal: ',' } },
    })
    expect(dataset.review).toBeNull()
    expect(dataset.source?.overrides).toEqual({ decimal: ',' })
  })

  it('is left alone by Cancel, and what was open stays', async () => {
    const { lab } = freshWindow({
      ...open,
      'app.preview': ({ token }) => preview({ doubtful: token === 'odd' }),
    })
    const dataset = useDatasetStore()
    await dataset.open('good', 'good.csv')
    await dataset.open('odd', 'odd.csv')
    expect(dataset.state).toBe('ready')
    await dataset.cancel()
    expect(dataset.review).toBeNull()
    expect(dataset.summary?.id).toBe('good')
    expect(channelsOf(lab)).not.toContain('dataset.close')
  })

  it('can be read again another way once it is loaded', async () => {
    freshWindow(open)
    const dataset = useDatasetStore()
    await dataset.open('good', 'good.csv')
    expect(dataset.sameFile).toBe(false)
    dataset.reviewImport()
    expect(dataset.review).toMatchObject({ source: { token: 'good' }, again: true })
    if (dataset.review) await dataset.load(dataset.review.source)
    expect(dataset.sameFile).toBe(true)
    await dataset.open('other', 'other.csv')
    expect(dataset.sameFile).toBe(false)
  })
})

describe('the settings for a dataset', () => {
  it('take its proposed features and the k of a headed file', () => {
    freshWindow()
    const config = useConfigStore()
    const data = summary()
    config.adopt({ ...data, receipt: { ...data.receipt, proposedK: 7 } })
    expect(config.draft.features).toHaveLength(4)
    expect(config.config.k).toBe(7)
  })

  it('stay as they are when the same file is read another way', () => {
    freshWindow()
    const config = useConfigStore()
    const data = summary()
    config.adopt(data)
    config.setFeature('sepal_width', false)
    config.draft.k = '9'
    const columns = data.columns.map((column) =>
      column.name === 'species'
        ? { ...column, type: 'numeric' as const, min: 0, max: 2, proposed: true }
        : column,
    )
    config.adopt({ ...data, columns, receipt: { ...data.receipt, proposedK: 2 } }, true)
    expect(config.config.features).toEqual(['sepal_length', 'petal_length', 'petal_width', 'species'])
    expect(config.config.k).toBe(9)
  })

  it('keep features in the order of the file', () => {
    freshWindow()
    const config = useConfigStore()
    config.adopt(summary())
    config.setFeatures([])
    expect(config.errors.features).toBeDefined()
    config.setFeature('petal_width', true)
    config.setFeature('sepal_length', true)
    expect(config.config.features).toEqual(['sepal_length', 'petal_width'])
    expect(config.valid).toBe(true)
  })
})
