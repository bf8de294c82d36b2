import { describe, expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import { defaultRunConfig } from '@shared/run-config'
import { commands, parseArguments } from './arguments'

const cluster = (...args: string[]) => {
  const command = parseArguments(['cluster', 'data.csv', ...args])
  if (command.kind !== 'cluster') throw new Error(`expected cluster but received ${command.kind}`)
  return command.options
}

const refusal = (argv: readonly string[]): LabError => {
  try {
    parseArguments(argv)
  } catch (thrown) {
    if (thrown instanceof LabError) return thrown
    throw thrown
  }
  throw new Error(`expected ${argv.join(' ')} to be refused`)
}

describe('cluster', () => {
  it('takes every option of the specification', () => {
    const text =
      '-k 5 -o out --engine webgpu --device webgpu:0 --variant fused --init random --seed 7 --stop labels ' +
      '--tolerance 1e-3 --max-iterations 20 --n-init 3 --empty farthest --features a,b --scaling min-max ' +
      '--missing mean --delimiter ; --decimal , --no-header --title-rows 2 --encoding latin1 --quote none --format delimited --timing total ' +
      '--column-type a=numeric,b=text --history --steps 4 --models python,onnx --report both --dialect semicolon --neutralise-formulas --force --json --on-device-loss continue --checkpoint kept --memory-limit 300M'
    expect(cluster(...text.split(' '))).toEqual({
      file: 'data.csv',
      overrides: {
        ...{
          delimiter: ';',
          decimal: ',',
          header: false,
          titleRows: 2,
          encoding: 'latin1',
          quote: '',
          format: 'delimited',
        },
      },
      columnTypes: [
        { name: 'a', type: 'numeric' },
        { name: 'b', type: 'text' },
      ],
      config: {
        ...defaultRunConfig,
        ...{ k: 5, engine: 'webgpu', device: 'webgpu:0', variant: 'fused', init: 'random', seed: 7 },
        ...{ stop: 'labels', tolerance: 1e-3, maxIterations: 20, nInit: 3, empty: 'farthest' },
        ...{
          features: ['a', 'b'],
          scaling: 'min-max',
          missing: 'mean',
          timing: 'total',
          history: true,
          centroidHistory: true,
        },
      },
      centroidFile: true,
      givesK: true,
      output: 'out',
      steps: 4,
      labels: 'csv',
      models: ['python', 'onnx'],
      report: 'both',
      profile: false,
      force: true,
      onLoss: 'continue',
      checkpoint: 'kept',
      memory: { memory: '300M' },
      text: { dialect: 'semicolon', neutralise: true },
      json: true,
    })
  })

  it('understands the usual ways to write a value', () => {
    expect(cluster('-k5').config.k).toBe(5)
    expect(cluster('-k', '5', '-k', '6').config.k).toBe(6)
    expect(cluster('-k', '5', '--seed=9').config.seed).toBe(9)
    expect(cluster('-k', '5', '--output=here').output).toBe('here')
    expect(cluster('-k', '5', '--delimiter', 'tab').overrides.delimiter).toBe('\t')
    expect(cluster('-k', '5', '--features', '"a,b", c').config.features).toEqual(['a,b', 'c'])
  })

  it('--labels names the files of labels, and needs a folder for them', () => {
    expect(cluster('-k', '2', '-o', 'x', '--labels', 'npy').labels).toBe('npy')
    expect(() => cluster('-k', '2', '--labels', 'npy')).toThrow('a folder with --labels')
  })

  it('--centroids alone means --init file', () => {
    expect(cluster('--centroids', 'c.csv')).toMatchObject({
      givesK: false,
      config: { init: 'file', centroidsFile: 'c.csv' },
    })
  })

  it('keeps centroids of every iteration for the steps, without a history', () => {
    expect(cluster('-k', '2', '-o', 'x', '--steps', '2')).toMatchObject({
      config: { history: false, centroidHistory: true },
      centroidFile: false,
    })
  })

  it('keeps both parts of a history, or the one that is named', () => {
    const kept = (...args: string[]) => {
      const { config, centroidFile } = cluster('-k', '2', ...args)
      return [config.history, config.centroidHistory, centroidFile]
    }
    expect(kept()).toEqual([false, false, false])
    expect(kept('--history')).toEqual([true, true, true])
    expect(kept('--history', '--json')).toEqual([true, true, true])
    expect(kept('--history=iterations')).toEqual([true, false, false])
    expect(kept('--history=iterations', '-o', 'x', '--steps', '2')).toEqual([true, true, false])
    expect(kept('--history=centroids')).toEqual([false, true, true])
  })

  it('takes scalings of columns by name, and says why a scaling of rows is none', () => {
    const scalings = cluster('--column-scaling', 'a=robust,"b,c"=none').config.columnScalings
    expect(scalings).toEqual([
      { column: 'a', scaling: 'robust' },
      { column: 'b,c', scaling: 'none' },
    ])
    const refused = ['a', 'a=robust,a=none', 'a=log', 'a=unit-length'].map(
      (text) => refusal(['cluster', 'd.csv', '--column-scaling', text]).message,
    )
    expect(refused[0]).toContain('NAME=SCALING[,NAME=SCALING...]')
    expect(refused[1]).toContain('every column once')
    expect(refused[2]).toContain("the scaling of 'a'")
    expect(refused[3]).toContain('unit-length is of whole rows')
  })

  it('takes types of columns by name, quoted as features are', () => {
    const types = (text: string) => cluster('-k', '2', '--column-type', text).columnTypes
    expect(types('"a,b"=numeric, "c=""d"""=text ,e f = constant')).toEqual([
      { name: 'a,b', type: 'numeric' },
      { name: 'c="d"', type: 'text' },
      { name: 'e f', type: 'constant' },
    ])
    expect(types('x=y=identifier')).toEqual([{ name: 'x=y', type: 'identifier' }])
  })
})

describe('wrong use', () => {
  const wrong: readonly (readonly [args: string, mentions: readonly string[]])[] = [
    ['-k 0', ['-k', "'0'", 'at least 1']],
    ['-k abc', ['-k', "'abc'", 'whole number']],
    ['-k 1.5', ['-k', "'1.5'"]],
    ['-k -3', ['-k', "'-3'"]],
    ['-k 1e3', ['-k', "'1e3'"]],
    ['-k 99999999999999999999', ['-k']],
    ['-k', ['-k', 'nothing']],
    ['-k --json', ['-k', "'--json'"]],
    ['-k 3 --engine gpu', ['--engine', "'gpu'", 'webgpu']],
    ['-k 3 --init kmeans', ['--init', "'kmeans'", 'k-means++']],
    ['-k 3 --stop never', ['--stop', 'relative-shift']],
    ['-k 3 --tolerance -1', ['--tolerance', "'-1'"]],
    ['-k 3 --tolerance 0,5', ['--tolerance', "'0,5'"]],
    ['-k 3 --tolerance NaN', ['--tolerance', "'NaN'"]],
    ['-k 3 --seed -1', ['--seed', "'-1'"]],
    ['-k 3 --max-iterations 0', ['--max-iterations', "'0'"]],
    ['-k 3 --empty drown', ['--empty', 'farthest']],
    ['-k 3 --scaling z', ['--scaling', 'standardise']],
    ['-k 3 --missing skip', ['--missing', 'median']],
    ['-k 3 --delimiter x', ['--delimiter', 'tab']],
    ['-k 3 --decimal ;', ['--decimal', "';'"]],
    ['-k 3 --encoding ebcdic', ['--encoding', 'utf-8']],
    ['-k 3 --timing fine', ['--timing', "'fine'", 'phases']],
    ['-k 3 --quote `', ['--quote', "'`'", 'none']],
    ['-k 3 --format csv', ['--format', 'headed']],
    ['-k 3 --header --no-header', ['--header', '--no-header']],
    ['-k 3 --title-rows 21', ['--title-rows', "'21'", 'from 0 to 20']],
    ['-k 3 --history=all', ['--history', "'all'", 'iterations, centroids']],
    ['-k 3 --history=', ['--history']],
    ['-k 3 --column-type a', ['--column-type', "'a'", 'NAME=TYPE']],
    ['-k 3 --column-type =text', ['--column-type', 'NAME=TYPE']],
    ['-k 3 --column-type a=number', ["'a'", "'number'", 'numeric']],
    ['-k 3 --column-type a=text,a=numeric', ['--column-type', 'once']],
    ['-k 3 --column-type a=text,', ['--column-type', 'NAME=TYPE']],
    ['-k 3 --features a,,b', ['--features', "'a,,b'"]],
    ['-k 3 --init file', ['--centroids']],
    ['-k 3 --init random --centroids c.csv', ['--init', 'random']],
    ['-k 3 --steps 2', ['-o', '--steps']],
    ['-k 3 --steps 0 -o x', ['--steps', "'0'"]],
    ['-k 3 --json=yes', ['--json', "'yes'"]],
    ['-k 3 other.csv', ['one data file', 'data.csv other.csv']],
  ]

  it.each(wrong)('cluster data.csv %s', (args, mentions) => {
    const { kind, message } = refusal(['cluster', 'data.csv', ...args.split(' ')])
    expect(kind).toBe('input')
    expect(message).toMatch(/^Expected .+ for .+ but received .+\.$/)
    for (const mention of mentions) expect(message).toContain(mention)
  })

  it.each([
    ['--variannt fused', 'There is no option --variannt: did you mean --variant? --help lists them all.'],
    ['--max-iter 9', 'There is no option --max-iter: did you mean --max-iterations? --help lists them all.'],
    ['--fast', 'There is no option --fast: --help lists all options.'],
    ['-z', 'There is no option -z: --help lists all options.'],
  ])('cluster data.csv -k 3 %s', (args, sentence) => {
    const { kind, message } = refusal(['cluster', 'data.csv', '-k', '3', ...args.split(' ')])
    expect([kind, message]).toEqual(['input', sentence])
  })

  it('names the commands there are, and no others', () => {
    for (const unknown of ['clutser', 'predicts']) {
      const { message } = refusal([unknown])
      expect(message).toBe(
        `Expected ${commands.join(', ')} or a data file for the command but received '${unknown}'.`,
      )
    }
    expect(refusal(['cluster']).message).toContain('one data file')
    expect(refusal(['engines', 'cpu']).message).toContain("'cpu'")
    expect(refusal(['--verbose']).message).toContain('--verbose')
  })
})

it('a file, or nothing at all, opens the window; help and version are found', () => {
  expect(parseArguments([])).toEqual({ kind: 'open', file: null })
  expect(parseArguments(['data.csv'])).toEqual({ kind: 'open', file: 'data.csv' })
  expect(parseArguments(['./cluster'])).toEqual({ kind: 'open', file: './cluster' })
  expect(parseArguments(['--help'])).toEqual({ kind: 'help', about: null })
  expect(parseArguments(['cluster', '-h'])).toEqual({ kind: 'help', about: 'cluster' })
  expect(parseArguments(['engines', '--json'])).toEqual({ kind: 'engines', json: true })
  expect(parseArguments(['--version'])).toEqual({ kind: 'version' })
})
