import { describe, expect, it } from 'vitest'
import { bulkChunkBytes } from '@shared/ipc'
import { defaultRunConfig } from '@shared/run-config'
import { checked, hostSchemas } from './schemas'

describe('what reaches the host is checked', () => {
  it('takes a whole configuration', () => {
    const params = { datasetId: 'a', config: defaultRunConfig }
    expect(checked(hostSchemas['run.start'], 'run.start', params)).toEqual(params)
  })

  it.each([
    ['an engine that does not exist', { ...defaultRunConfig, engine: 'abacus' }, /engine of run\.start/],
    ['a k that is no number', { ...defaultRunConfig, k: '3' }, /k of run\.start/],
    ['a setting nobody knows', { ...defaultRunConfig, speed: 9 }, /run\.start/],
  ])('refuses %s in one sentence', (_, config, sentence) => {
    const check = () => checked(hostSchemas['run.start'], 'run.start', { datasetId: 'a', config })
    expect(check).toThrow(sentence)
  })

  it('answers no more than a bulk chunk at once', () => {
    const ask = (count: number) => () =>
      checked(hostSchemas['run.labels'], 'run.labels', { runId: 'r', start: 0, count })
    expect(ask(bulkChunkBytes / 4)).not.toThrow()
    expect(ask(bulkChunkBytes / 4 + 1)).toThrow(/count/)
  })
})
