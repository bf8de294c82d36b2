import { appVersion } from '@engine/app-version'
import { commands } from './arguments'
import { descriptions } from './descriptions'
import { flagOf, plainOptions, type OptionSpec } from './options'

/** The manual page in the language of man (groff_man(7)). */
export function manual(): string {
  const sections = commands.map((command) => {
    const { summary, usage, options } = descriptions[command]
    const lines = options.flatMap(optionLines).join('\n')
    return `.SS ${command}\n${roff(sentence(summary))}\n.PP\n${usageLine(usage)}\n${lines}\n`
  })
  return `.TH CENTROID\\-LAB 1 "" "Centroid Lab ${roff(appVersion())}" "User Commands"
.SH NAME
centroid\\-lab \\- exact k\\-means clustering of tabular data
.SH SYNOPSIS
.B centroid\\-lab
.I COMMAND
[options]
.br
.B centroid\\-lab
.RI [ DATA.csv ]
.SH DESCRIPTION
Clusters the rows of a table by Lloyd's k\\-means, on the processor or on a graphics card, and writes
centroids, labels, times and a record that repeats the run. With a file alone, or nothing, it opens the
window.
${plainOptions.flatMap(optionLines).join('\n')}
.SH COMMANDS
${sections.join('')}.SH EXIT STATUS
0 done; 1 failed while working, or the engine asked for is unavailable, or a verified run differs; 2 wrong
use or unusable input; 130 cancelled.
.SH FILES
Results go to standard output, progress to standard error. No network is used.
.TP
.I ~/.config/Centroid Lab
settings of the window
.TP
.I ~/.cache/centroid\\-lab
what was measured of this machine, to choose engine and variant
.SH EXAMPLES
.nf
centroid\\-lab cluster data.csv \\-k 5 \\-o results
centroid\\-lab predict more.csv \\-\\-model results/run.json \\-o assigned.csv
centroid\\-lab verify results/run.json
.fi
`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function usageLine(usage: string): string {
  const [program, ...rest] = usage.split(' ')
  return `.B ${roff(program)}\n${roff(rest.join(' '))}`
}

function optionLines(option: OptionSpec): string[] {
  const { name, short, value, optional, help } = option
  const flags = short === undefined || short === name ? flagOf(option) : `-${short}, --${name}`
  const takes = value === null ? '' : optional === true ? `[=${value}]` : ` ${value}`
  return ['.TP', `.B ${roff(`${flags}${takes}`)}`, roff(sentence(help).replace(/\.\.$/, '.'))]
}

/** Hyphens stay hyphens, and no line begins with a control character. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')
}
