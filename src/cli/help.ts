import { commands, type CommandName } from './arguments'
import { descriptions } from './descriptions'
import { plainOptions, type OptionSpec } from './options'

/** The text of --help: of one command, or of the program. */
export function helpText(about: CommandName | null): string {
  return about === null ? programHelp() : commandHelp(about)
}

function programHelp(): string {
  const list = commands.map((name) => `  ${name.padEnd(18)}${descriptions[name].summary}`)
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
  const { usage, summary, options } = descriptions[about]
  return [`usage: ${usage}`, '', summary, '', ...optionLines(options), ''].join('\n')
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
