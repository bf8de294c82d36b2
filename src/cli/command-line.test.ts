import { precisions } from '@shared/precision'
import { execFileSync } from 'node:child_process'
import { expect, describe, it } from 'vitest'
import { commandLine, shellLine, shellText } from '@shared/command-line'
import {
  columnScalings,
  delimiters,
  encodings,
  givenTypes,
  formats,
  missingPolicies,
  scalings,
  type GivenType,
  type ImportOverrides,
  type NamedScaling,
} from '@shared/dataset'
import {
  defaultRunConfig,
  emptyPolicies,
  initMethods,
  stopRules,
  timingLevels,
  type RunConfig,
} from '@shared/run-config'
import { comparisons, type Condition, type RowFilter } from '@shared/row-filter/row-filter'
import { engineIds } from '@shared/variant'
import { parseArguments } from './arguments'
import type { ClusterOptions } from './cluster-arguments'

const awkward = [
  ...['a', 'b,c', 'say "d"', ' e ', 'f=g', '=', '--json', '-k', "it's", 'two\nlines', 'größe', '$HOME', '"'],
  ...['column 3', '\\', '*', '#', 'h=text', '"i"=numeric', '~', '!', '-', '--', '""'],
]

interface Wish {
  readonly config: RunConfig
  readonly overrides: ImportOverrides
  readonly file: string
}

/** Numbers in [0, 1) that are the same in every run of the tests (mulberry32). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Any configuration and any overrides that the window can make. */
class Wishes {
  readonly #numbers: Generator<number, never>

  constructor(seed: number) {
    this.#numbers = numbers(seed)
  }

  next(): Wish {
    const init = this.#one(initMethods)
    const config: RunConfig = {
      features: this.#maybe(null, () => awkward.filter(() => this.#number() < 0.4).concat('a')),
      missing: this.#one(missingPolicies),
      scaling: this.#one(scalings),
      ...(this.#number() < 0.5 && { columnScalings: this.#scalings() }),
      ...(this.#number() < 0.5 && { oneHot: awkward.filter(() => this.#number() < 0.2).concat('y') }),
      ...(this.#number() < 0.5 && { filter: this.#filter() }),
      k: this.#whole(1, 5000),
      init,
      centroidsFile: init === 'file' ? `${this.#one(awkward)}.csv` : null,
      seed: this.#whole(0, Number.MAX_SAFE_INTEGER),
      stop: this.#one(stopRules),
      tolerance: this.#maybe(null, () => this.#number() * 10 ** this.#whole(-300, 300)),
      maxIterations: this.#whole(1, 1e9),
      nInit: this.#whole(1, 100),
      empty: this.#one(emptyPolicies),
      engine: this.#one(['auto', ...engineIds] as const),
      device: this.#maybe(null, () => this.#one(['cpu', 'webgpu:0', '-1'])),
      variant: this.#one(['auto', 'fused', 'sequential', 'partial-sums']),
      regime: this.#maybe(null, () => this.#one(['tiled', 'as-studied'])),
      workers: this.#maybe(null, () => this.#whole(1, 65_536)),
      precision: this.#one(precisions),
      timing: this.#one(timingLevels),
      history: this.#number() < 0.5,
      centroidHistory: this.#number() < 0.5,
    }
    return { config, overrides: this.#overrides(), file: `${this.#one(awkward)}.csv` }
  }

  #scalings(): NamedScaling[] {
    const some = awkward.filter(() => this.#number() < 0.2).concat('z')
    return some.map((column) => ({ column, scaling: this.#one(columnScalings) }))
  }

  #filter(): RowFilter {
    const condition = (): Condition => {
      const [column, value] = [this.#one(awkward), this.#one(awkward)]
      return { kind: 'compare', column, comparison: this.#one(comparisons), value }
    }
    const group = { join: 'any', conditions: [condition(), condition()] } as const
    return { join: 'all', parts: [condition(), group, { kind: 'missing', column: this.#one(awkward) }] }
  }

  #overrides(): ImportOverrides {
    const set = () => this.#number() < 0.5
    return {
      ...(set() && { format: this.#one(formats) }),
      ...(set() && { encoding: this.#one(encodings) }),
      ...(set() && { delimiter: this.#one(delimiters) }),
      ...(set() && { quote: this.#one(['"', "'", ''] as const) }),
      ...(set() && { header: set() }),
      ...(set() && { decimal: this.#one(['.', ','] as const) }),
      ...(set() && { columnTypes: this.#types() }),
    }
  }

  #types(): Record<number, GivenType> {
    const first = this.#whole(0, awkward.length - 1)
    const more = [...awkward.keys()].filter((index) => index !== first && this.#number() < 0.2)
    return Object.fromEntries([first, ...more].map((index) => [index, this.#one(givenTypes)]))
  }

  #number(): number {
    return this.#numbers.next().value
  }

  #whole(least: number, most: number): number {
    return least + Math.floor(this.#number() * (most - least + 1))
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#whole(0, choices.length - 1)]
  }

  #maybe<T>(otherwise: null, make: () => T): T | null {
    return this.#number() < 0.3 ? otherwise : make()
  }
}

function parsed(args: readonly string[]): ClusterOptions {
  const command = parseArguments(args)
  if (command.kind !== 'cluster') throw new Error('expected cluster')
  return command.options
}

/** As `cluster` joins them once the file tells its columns. */
function overridesOf({ overrides, columnTypes: types }: ClusterOptions): ImportOverrides {
  const byIndex = Object.fromEntries(types.map(({ name, type }) => [awkward.indexOf(name), type]))
  return types.length === 0 ? overrides : { ...overrides, columnTypes: byIndex }
}

const columns = awkward.map((name, index) => ({ index, name }))
const line = ({ config, file, overrides }: Wish) => commandLine(config, file, overrides, columns)

describe('a configuration as a command line', () => {
  it('is understood as the same configuration and the same overrides, whatever they are', () => {
    const wishes = new Wishes(20260101)
    for (let i = 0; i < 3000; i++) {
      const wish = wishes.next()
      const options = parsed(line(wish))
      expect(options.config).toEqual(wish.config)
      expect(overridesOf(options)).toEqual(wish.overrides)
      expect(options.file.replace(/^\.\/(?=-)/, '')).toBe(wish.file)
      expect(options).toMatchObject({ givesK: true, output: null, steps: 0, force: false, json: false })
    }
  })

  it('comes through a shell as it was', () => {
    const wishes = new Wishes(7)
    const print = `${JSON.stringify(process.execPath)} -p 'JSON.stringify(process.argv.slice(1))' --`
    for (let i = 0; i < 5; i++) {
      const args = line(wishes.next())
      const out = execFileSync('/bin/sh', ['-c', `${print} ${shellText(args)}`], { encoding: 'utf8' })
      expect(JSON.parse(out)).toEqual(args)
    }
  })

  it('says no more than it must', () => {
    expect(shellLine(commandLine(defaultRunConfig, 'my file.csv'))).toBe(
      `centroid-lab cluster 'my file.csv' -k 3 --seed 1`,
    )
    expect(commandLine(defaultRunConfig, 'iris.csv')).toEqual('cluster iris.csv -k 3 --seed 1'.split(' '))
    expect(shellText(['cluster', 'iris.csv', "it's", 'a b', '|'])).toBe(
      `cluster iris.csv 'it'\\''s' 'a b' '|'`,
    )
  })

  it('leaves out the type of a column that the file does not have', () => {
    const overrides = { columnTypes: { 0: 'text', 9: 'text' } } as const
    expect(commandLine(defaultRunConfig, 'x.csv', overrides, [{ index: 0, name: 'a' }]).at(-1)).toBe('a=text')
    expect(commandLine(defaultRunConfig, 'x.csv', overrides)).not.toContain('--column-type')
  })
})
