import { parseArgs } from 'node:util'
import { invalidArgument } from '@shared/errors'
import { engineIds } from '@shared/variant'
import { defaultAxes, ends, type Axes } from './cells'
import { kinds, type Kind } from './kinds'

export const usage = `npm run bench:grid -- [options]

Every shape and kind of data: ours beside the floor of the device and, where they are installed, scikit-learn
(processor) and flash-kmeans (CUDA), all on the same points from the same start, labels checked.

  --engine ID[,ID]     only these engines: ${engineIds.join(', ')}
  --variants ID[,ID]   fused unless given; all for all
  --regimes ID[,ID]    of \`fused\`, each forced, in the place of the plan's; \`plan\` is that
  --kinds LIST         ${kinds.join(', ')}
  -d LIST              numbers of features (${defaultAxes.d.join(',')})
  -k LIST              numbers of clusters (${defaultAxes.k.join(',')})
  -n LIST              numbers of points; fit: as many as suit the engine (fit)
  --work N             fit: at most so many multiply-adds an iteration, for a grid in minutes
  --random N           instead of the grid, N cells drawn between d ${ends.d.join(' and ')}, k ${ends.k.join(' and ')}, from ${ends.n[0]} points on
  --auto N             instead, N such cells for whole runs: what \`auto\` takes, beside all that it chooses among
  --seed N             of data and of random cells (11)
  --iterations N       in a measurement (10 on the processor, 30 on a card, 3 in software)
  --repeats N          measurements of each, in turns (3)
  --seconds N          a contender that has measured for so long in a cell gets no further turn (2)
  --minutes N          ends with what was measured until then
  --jobs N             processes that prepare and check cells of a card side by side, and measure in turns (1)
  --flash DIR          where the Python package flash_kmeans lies
  --no-peers           ours and the floor alone
  --software           software adapters of WebGPU too
  -o FILE              results as JSON; page and pictures beside it (bench/results/<date>-<machine>-grid.json)
`

export interface GridOptions {
  readonly engines: readonly string[]
  /** Null: all. */
  readonly variants: readonly string[] | null
  /** Forced ones of `fused`; null: what the plan takes. */
  readonly regimes: readonly (string | null)[]
  readonly axes: Axes
  /** Multiply-adds of an iteration at most, where the number of points is not given. */
  readonly work: number
  /** Null: the grid. */
  readonly random: number | null
  /** Null: the grid; else cells for whole runs of what `auto` chooses among. */
  readonly auto: number | null
  readonly seed: number
  /** Null: by engine. */
  readonly iterations: number | null
  readonly repeats: number
  readonly seconds: number
  readonly minutes: number
  readonly jobs: number
  readonly flash: string
  readonly withPeers: boolean
  readonly software: boolean
  readonly output: string | null
  readonly help: boolean
}

/** @throws LabError `input` for an option or a value that is none. */
export function readGridOptions(args: readonly string[]): GridOptions {
  const { values } = parsed(args)
  const variants = words(values.variants)
  return {
    engines: choices(values.engine, engineIds, '--engine'),
    variants: variants.includes('all') ? null : variants,
    regimes: words(values.regimes).map((word) => (word === 'plan' ? null : word)),
    axes: {
      kinds: choices(values.kinds, kinds, '--kinds') as readonly Kind[],
      d: integers(values.d, '-d', 1),
      k: integers(values.k, '-k', 1),
      n: words(values.n).map((word) => (word === 'fit' ? null : integer(word, '-n', 1))),
    },
    work: values.work === undefined ? Number.POSITIVE_INFINITY : positive(values.work, '--work'),
    random: values.random === undefined ? null : integer(values.random, '--random', 1),
    auto: values.auto === undefined ? null : integer(values.auto, '--auto', 1),
    seed: integer(values.seed, '--seed', 0),
    iterations: values.iterations === undefined ? null : integer(values.iterations, '--iterations', 1),
    repeats: integer(values.repeats, '--repeats', 1),
    seconds: positive(values.seconds, '--seconds'),
    minutes: values.minutes === undefined ? Number.POSITIVE_INFINITY : positive(values.minutes, '--minutes'),
    jobs: integer(values.jobs, '--jobs', 1),
    flash: values.flash ?? '',
    withPeers: !values['no-peers'],
    software: values.software,
    output: values.output ?? null,
    help: values.help,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        engine: { type: 'string', default: engineIds.join(',') },
        variants: { type: 'string', default: 'fused' },
        regimes: { type: 'string', default: 'plan' },
        kinds: { type: 'string', default: kinds.join(',') },
        d: { type: 'string', short: 'd', default: defaultAxes.d.join(',') },
        k: { type: 'string', short: 'k', default: defaultAxes.k.join(',') },
        n: { type: 'string', short: 'n', default: 'fit' },
        work: { type: 'string' },
        random: { type: 'string' },
        auto: { type: 'string' },
        seed: { type: 'string', default: '11' },
        iterations: { type: 'string' },
        repeats: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '2' },
        minutes: { type: 'string' },
        jobs: { type: 'string', default: '1' },
        flash: { type: 'string' },
        'no-peers': { type: 'boolean', default: false },
        software: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    const said = error instanceof Error ? error.message.split(/\. |\n/)[0] : String(error)
    throw invalidArgument('options as in --help', 'the grid', said)
  }
}

function words(text: string): string[] {
  return text.split(',').map((word) => word.trim())
}

function choices(text: string, known: readonly string[], name: string): string[] {
  const found = words(text)
  const unknown = found.find((word) => !known.includes(word))
  if (unknown !== undefined) throw invalidArgument(`some of ${known.join(', ')}`, name, unknown)
  return found
}

function integers(text: string, name: string, least: number): number[] {
  return words(text).map((word) => integer(word, name, least))
}

function integer(text: string, name: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least || text.trim() === '') {
    throw invalidArgument(`whole numbers from ${least} on`, name, text)
  }
  return value
}

function positive(text: string, name: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw invalidArgument('a number above 0', name, text)
  }
  return value
}
