import { benchOptions } from './bench-options'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { describe, expect, it } from 'vitest'
import { engineIds } from '@shared/variant'
import { parseArguments } from './arguments'

function bench(text: string) {
  const command = parseArguments(['bench', ...text.split(' ').filter((word) => word !== '')])
  if (command.kind !== 'bench') throw new Error(`expected bench but received ${command.kind}`)
  return command.options
}

describe('bench', () => {
  it('takes every option', () => {
    const text =
      'data.csv -k 10,5 --variants fused,cuda:0/fused --engines cpu,cuda --outside numpy --repeats 3 --warmup 0 --max-cell-seconds 0.5 ' +
      '--baseline fused --timing phases --scale 0.5 --init random --seed 7 --stop labels --tolerance 1e-3 ' +
      '--max-iterations 20 --empty farthest --features a,b --scaling min-max --column-scaling a=none --filter b>1 --one-hot c --missing mean --workers 7 --memory-limit 4G --device-memory 512M --scratch big --plan -o out --dialect tab --neutralise-formulas --force --json'
    expect(bench(text)).toEqual({
      source: 'data.csv',
      resume: false,
      changed: expect.arrayContaining(['k', 'variants', 'scale', 'seed']),
      changes: {
        k: [5, 10],
        variants: ['fused', 'cuda:0/fused'],
        engines: ['cpu', 'cuda'],
        outside: ['numpy'],
        repeats: 3,
        warmup: 0,
        maxCellSeconds: 0.5,
        baseline: 'fused',
        timing: 'phases',
        config: {
          ...{ init: 'random', centroidsFile: null, seed: 7, stop: 'labels', tolerance: 1e-3 },
          ...{ maxIterations: 20, empty: 'farthest', features: ['a', 'b'], scaling: 'min-max' },
          columnScalings: [{ column: 'a', scaling: 'none' }],
          filter: parseFilter('b > 1'),
          oneHot: ['c'],
          ...{ missing: 'mean', workers: 7 },
        },
      },
      scale: 0.5,
      list: false,
      plan: true,
      output: 'out',
      force: true,
      memory: { memory: '4G', deviceMemory: '512M', scratch: 'big' },
      text: { dialect: 'tab', neutralise: true },
      format: 'json',
    })
  })

  it('changes nothing that was not named', () => {
    expect(bench('di-dio-table -o out --baseline fused')).toMatchObject({
      changed: [],
      changes: { baseline: 'fused', config: {} },
    })
    expect(bench('SUITE.json --outside none --variants all').changes).toEqual({
      variants: 'all',
      outside: [],
      config: {},
    })
    expect(bench('--resume out/benchmark.json')).toMatchObject({ source: 'out/benchmark.json', resume: true })
    expect(bench('--list')).toMatchObject({ source: null, list: true })
  })

  it.each([
    ['', /one suite, data file or preset/],
    ['a.csv b.csv', /'a\.csv b\.csv'/],
    ['a.csv --resume b.json', /'a\.csv b\.json'/],
    ['a.csv -k 5,x', /whole number of at least 1 for -k but received 'x'/],
    ['a.csv --engines gpu', new RegExp(`one of ${engineIds.join(', ')} for --engines`)],
    ['a.csv --outside r', /one of numpy, scikit-learn, scipy/],
    ['a.csv --repeats 0', /--repeats/],
    ['a.csv --memory-limit much', /size such as 512M or 4G for --memory-limit but received 'much'/],
    ['a.csv --workers 0', /whole number of at least 1 for --workers/],
    ['a.csv --workers 65537', /whole number from 1 to 65536 for --workers but received 65537/],
    ['a.csv --max-cell-seconds 0', /seconds above 0, at most 1000000 for --max-cell-seconds/],
    ['a.csv --max-cell-seconds 1e7', /seconds above 0, at most 1000000 for --max-cell-seconds/],
    ['a.csv --max-cell-seconds soon', /--max-cell-seconds but received 'soon'/],
    ['a.csv --json --markdown', /either --json or --markdown/],
    ['a.csv --init file', /--centroids/],
  ])("refuses '%s'", (text, sentence) => {
    expect(() => bench(text)).toThrow(sentence)
  })
})

it('the help of bench has no option twice', () => {
  const names = benchOptions.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
