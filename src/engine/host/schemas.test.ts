import { describe, expect, it } from 'vitest'
import { bulkChunkBytes } from '@shared/ipc'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { defaultRunConfig } from '@shared/run-config'
import { checked, hostSchemas } from './schemas'

describe('what reaches the host is checked', () => {
  it('takes a whole configuration', () => {
    const params = { datasetId: 'a', config: defaultRunConfig }
    expect(checked(hostSchemas['run.start'], 'run.start', params)).toEqual(params)
  })

  it('takes what is said of single columns', () => {
    const config = {
      ...defaultRunConfig,
      columnScalings: [{ column: 'a', scaling: 'robust' }],
      filter: parseFilter('a > 1 and (b = x or b is missing or b in (y, z)) and c between 1 and 2'),
      oneHot: ['b'],
    } as const
    const params = { datasetId: 'a', config }
    expect(checked(hostSchemas['run.start'], 'run.start', params)).toEqual(params)
  })

  it.each([
    ['a scaling of rows for a column', { columnScalings: [{ column: 'a', scaling: 'unit-length' }] }],
    ['a filter without a condition', { filter: { join: 'all', parts: [] } }],
    ['an empty group', { filter: { join: 'all', parts: [{ join: 'any', conditions: [] }] } }],
    [
      'groups within groups',
      { filter: { join: 'all', parts: [{ join: 'any', conditions: [{ join: 'all', conditions: [] }] }] } },
    ],
    ['a condition nobody knows', { filter: { join: 'all', parts: [{ kind: 'like', column: 'a' }] } }],
    ['one-hot columns that are no names', { oneHot: [3] }],
  ])('refuses %s', (_, change) => {
    const config = { ...defaultRunConfig, ...change }
    expect(() => checked(hostSchemas['run.start'], 'run.start', { datasetId: 'a', config })).toThrow(
      /of run\.start but received/,
    )
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
