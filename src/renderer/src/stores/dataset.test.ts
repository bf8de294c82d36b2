import { LabError } from '@shared/errors'
import { describe, expect, it } from 'vitest'
import { summary } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
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
    expect(lab.asked.at(-1)).toEqual({ channel: 'dataset.close', params: { datasetId: 'one' } })
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
    expect(dataset.error?.message).toBe('bad.csv is empty; choose another file.')
  })

  it('fails with the sentence when nothing was open', async () => {
    freshWindow({
      'app.open': () => {
        throw new LabError('io', 'file.gone', 'gone.csv is no longer there; choose another file.')
      },
    })
    const dataset = useDatasetStore()
    await dataset.open('gone', 'gone.csv')
    expect(dataset.state).toBe('failed')
    expect(dataset.error?.code).toBe('file.gone')
  })

  it('can be cancelled, and what arrives late is closed again', async () => {
    let finish = (): void => undefined
    const { lab } = freshWindow({
      'app.open': () => new Promise((resolve) => (finish = () => resolve(summary({ id: 'late' })))),
    })
    const dataset = useDatasetStore()
    const opening = dataset.open('slow', 'slow.csv')
    await dataset.cancel()
    expect(dataset.state).toBe('empty')
    finish()
    await opening
    expect(channelsOf(lab)).toEqual(['app.open', 'app.cancel-open', 'dataset.close'])
    expect(dataset.summary).toBeNull()
  })

  it('tells how far it is', async () => {
    const { lab } = freshWindow({ 'app.open': () => new Promise(() => undefined) })
    const dataset = useDatasetStore()
    dataset.subscribe()
    void dataset.open('slow', 'slow.csv')
    lab.emit('dataset.progress', { path: '', rows: 1000, bytes: 10, totalBytes: 20 })
    expect(dataset.progress?.rows).toBe(1000)
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

  it('keep features in the order of the file', () => {
    freshWindow()
    const config = useConfigStore()
    config.adopt(summary())
    config.setAllFeatures(false)
    expect(config.errors.features).toBeDefined()
    config.setFeature('petal_width', true)
    config.setFeature('sepal_length', true)
    expect(config.config.features).toEqual(['sepal_length', 'petal_width'])
    expect(config.valid).toBe(true)
  })
})
