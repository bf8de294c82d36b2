import { commands, type CommandName } from './arguments'
import { benchOptions } from './bench-options'
import { regimesOptions } from './regimes-arguments'
import { predictOptions } from './predict-arguments'
import { verifyOptions } from './verify-arguments'
import { clusterOptions, enginesOptions, generateOptions, plainOptions, type OptionSpec } from './options'

const summaries: Readonly<Record<CommandName, string>> = {
  cluster: 'cluster the rows of a data file',
  predict: 'assign the rows of another file to the centroids of a run.json',
  verify: 'make the run of a run.json again and say whether it is the same',
  generate: 'write generated points to a file',
  bench: 'compare execution times of variants, engines and baselines outside the program',
  engines: 'list the engines, devices and variants of this machine',
}

const usages: Readonly<Record<CommandName, string>> = {
  cluster: 'centroid-lab cluster DATA.csv -k N [options]',
  predict: 'centroid-lab predict DATA.csv --model run.json [-o FILE] [options]',
  verify: 'centroid-lab verify run.json [--data FILE] [--engine NAME] [options]',
  generate: 'centroid-lab generate uniform|blobs|rings|moons [options] -o FILE',
  bench: 'centroid-lab bench SUITE.json|DATA.csv|FOLDER|PRESET [options]',
  engines: 'centroid-lab engines [--regimes [-n N -d D -k K] [--device-facts FILE]] [--json]',
}

const optionsOf: Readonly<Record<CommandName, readonly OptionSpec[]>> = {
  cluster: clusterOptions,
  predict: predictOptions,
  verify: verifyOptions,
  generate: generateOptions,
  bench: benchOptions,
  engines: [...regimesOptions, ...enginesOptions],
}

/** The text of --help: of one command, or of the program. */
export function helpText(about: CommandName | null): string {
  return about === null ? programHelp() : commandHelp(about)
}

function programHelp(): string {
  const list = commands.map((name) => `  ${name.padEnd(18)}${summaries[name]}`)
  return [
    'Centroid Lab: exact k-means clustering of tabular data.',
    '',
    'usage: centroid-lab COMMAND [options]',
    '       centroid-lab [DATA.csv]   opens the window, with the file loaded',
    '',
    'commands (see centroid-lab COMMAND --help):',
    ...list,
    '',
    ...optionLines(plainOptions),
    '',
    'exit status: 0 done, 1 failed while working, 2 wrong use or unusable input, 130 cancelled',
    '',
  ].join('\n')
}

function commandHelp(about: CommandName): string {
  return [`usage: ${usages[about]}`, '', summaries[about], '', ...optionLines(optionsOf[about]), ''].join(
    '\n',
  )
}

const column = 26

function optionLines(specs: readonly OptionSpec[]): string[] {
  return specs.flatMap((spec) => {
    const left = `  ${flags(spec)}${valueText(spec)}`
    const right = `${' '.repeat(column)}${spec.help}`
    return left.length + 2 > column ? [left, right] : [left.padEnd(column) + spec.help]
  })
}

function valueText({ value, optional }: OptionSpec): string {
  if (value === null) return ''
  return optional ? `[=${value}]` : ` ${value}`
}

function flags({ name, short }: OptionSpec): string {
  if (short === undefined) return `--${name}`
  return name === short ? `-${short}` : `-${short}, --${name}`
}
