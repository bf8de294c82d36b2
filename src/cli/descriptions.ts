import { benchOptions } from './bench-options'
import type { CommandName } from './arguments'
import { completionsOptions } from './completions-arguments'
import { judgeOptions } from './judge-arguments'
import { clusterOptions, enginesOptions, generateOptions, help, type OptionSpec } from './options'
import { predictOptions } from './predict-arguments'
import { regimesOptions } from './regimes-arguments'
import { scanOptions } from './scan-arguments'
import { verifyOptions } from './verify-arguments'

/** What help, the manual page and completions tell of a command. */
export interface Description {
  readonly summary: string
  readonly usage: string
  readonly options: readonly OptionSpec[]
}

export const descriptions: Readonly<Record<CommandName, Description>> = {
  cluster: {
    summary: 'cluster the rows of a data file',
    usage: 'centroid-lab cluster DATA.csv -k N [options]',
    options: clusterOptions,
  },
  scan: {
    summary: 'cluster with every k of a range, and tell what speaks for each',
    usage: 'centroid-lab scan DATA.csv [--k-min N] [--k-max N] [options]',
    options: scanOptions,
  },
  judge: {
    summary: 'judge the clusters that a column or a file names',
    usage: 'centroid-lab judge DATA.csv --labels COLUMN|labels.csv [--truth COLUMN] [options]',
    options: judgeOptions,
  },
  predict: {
    summary: 'assign the rows of another file to the centroids of a run.json',
    usage: 'centroid-lab predict DATA.csv --model run.json|session.clab [--run NAME] [-o FILE] [options]',
    options: predictOptions,
  },
  verify: {
    summary: 'make the run of a run.json again and say whether it is the same',
    usage: 'centroid-lab verify run.json [--data FILE] [--engine NAME] [options]',
    options: verifyOptions,
  },
  generate: {
    summary: 'write generated points to a file',
    usage: 'centroid-lab generate uniform|blobs|rings|moons [options] -o FILE',
    options: generateOptions,
  },
  bench: {
    summary: 'compare execution times of variants, engines and baselines outside the program',
    usage: 'centroid-lab bench SUITE.json|DATA.csv|FOLDER|PRESET [options]',
    options: benchOptions,
  },
  engines: {
    summary: 'list the engines, devices and variants of this machine',
    usage: 'centroid-lab engines [--regimes [-n N -d D -k K] [--device-facts FILE]] [--json]',
    options: [...regimesOptions, ...enginesOptions],
  },
  completions: {
    summary: 'print the completions of a shell',
    usage: 'centroid-lab completions bash|zsh|fish',
    options: completionsOptions,
  },
  manual: {
    summary: 'print the manual page, for man',
    usage: 'centroid-lab manual',
    options: [help],
  },
}
