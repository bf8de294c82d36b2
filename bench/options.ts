import { parseArgs } from 'node:util'
import { invalidArgument } from '@shared/errors'
import { engineIds } from '@shared/variant'
import { chosenConfigurations, type Configuration } from './configurations'

export const usage = `npm run bench:kernels -- [options]

  --engine ID            only this engine: ${engineIds.join(', ')}
  --variant ID[,ID]      only these variants
  --configurations LIST  cpu, gpu, all, or names such as E,1M-8-400; a name given here takes every engine
  --scale F              F times as many points, for a quick look (1)
  --seconds N            what takes longer on one variant and configuration is cut, and marked so (60)
  --software             software adapters of WebGPU too
  --markdown             print the table as Markdown
  -o FILE                where the results go as JSON, a Markdown table beside them
                         (bench/results/<date>-<machine>.json)
`

export interface BenchOptions {
  readonly engine: string | null
  readonly variants: readonly string[] | null
  /** As it was asked for. */
  readonly asked: string | null
  readonly configurations: readonly Configuration[]
  readonly scale: number
  readonly seconds: number
  readonly software: boolean
  readonly markdown: boolean
  readonly output: string | null
  readonly help: boolean
}

/** @throws LabError `input` for an option or a value that is none. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parsed(args)
  const scale = positive(values.scale, '--scale')
  const asked = values.configurations ?? null
  if (values.engine !== undefined && !(engineIds as readonly string[]).includes(values.engine)) {
    throw invalidArgument(`one of ${engineIds.join(', ')}`, '--engine', values.engine)
  }
  return {
    engine: values.engine ?? null,
    variants: values.variant?.split(',') ?? null,
    asked,
    configurations: chosenConfigurations(asked, scale),
    scale,
    seconds: positive(values.seconds, '--seconds'),
    software: values.software,
    markdown: values.markdown,
    output: values.output ?? null,
    help: values.help,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        engine: { type: 'string' },
        variant: { type: 'string' },
        configurations: { type: 'string' },
        scale: { type: 'string', default: '1' },
        seconds: { type: 'string', default: '60' },
        software: { type: 'boolean', default: false },
        markdown: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    const said = error instanceof Error ? error.message.split(/\. |\n/)[0] : String(error)
    throw invalidArgument('options as in --help', 'the benchmark', said)
  }
}

function positive(text: string, name: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw invalidArgument('a number above 0', name, text)
  }
  return value
}
