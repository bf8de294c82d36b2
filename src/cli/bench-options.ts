import { defaultRepeats, defaultWarmup, outsideSystems } from '@shared/benchmark/suite'
import { initMethods, stopRules, timingLevels } from '@shared/run-config'
import { engineIds } from '@shared/variant'
import {
  choice,
  dialectOption,
  distanceOptions,
  emptyOption,
  help,
  importOptions,
  json,
  limitOptions,
  neutraliseOption,
  precisionOption,
  preparationOptions,
  startOptions,
  workersOption,
  type OptionSpec,
} from './options'

/** Every option of `bench` (spec section 7), in the order that help shows them. */
export const benchOptions: readonly OptionSpec[] = [
  {
    name: 'k',
    short: 'k',
    value: '5,10',
    help: 'numbers of clusters; needed with data files, but headed ones name their own',
  },
  {
    name: 'variants',
    value: 'a,b|all',
    help: 'contenders: fused, or cpu/fused and cuda:0/fused for one engine or device',
  },
  {
    name: 'engines',
    value: engineIds.join(','),
    help: 'engines or devices (with a data file: all that are available)',
  },
  { name: 'outside', value: `${outsideSystems.join(',')}|all|none`, help: 'baselines run by python3' },
  { name: 'baseline', value: 'VARIANT', help: 'contender to which speed-ups refer (sequential)' },
  { name: 'repeats', value: 'N', help: `counted runs of each contender (${defaultRepeats})` },
  { name: 'warmup', value: 'N', help: `runs before the first counted one (${defaultWarmup})` },
  {
    name: 'max-cell-seconds',
    value: 'N',
    help: 'limit of each cell: fewer runs, fewer iterations of a fixed number, or not run (none)',
  },
  {
    name: 'timing',
    value: choice(timingLevels),
    help: 'how finely to time; totals are always without (total)',
  },
  { name: 'scale', value: 'F', help: 'F times the points of generated data (1)' },
  { name: 'init', value: choice(initMethods), help: 'initial centroids, the same for all (k-means++)' },
  ...startOptions,
  workersOption,
  precisionOption,
  { name: 'stop', value: choice(stopRules), help: 'stop rule; none runs --max-iterations (relative-shift)' },
  ...limitOptions,
  emptyOption,
  ...distanceOptions,
  ...preparationOptions,
  ...importOptions,
  { name: 'list', value: null, help: "list the program's own suites: the studies' tables and figures" },
  { name: 'plan', value: null, help: 'show what would run, how long and in how much memory, and end' },
  {
    name: 'output',
    short: 'o',
    value: 'DIR',
    help: 'write timings.csv, speedups.csv, timings.xlsx, report.html and benchmark.json into this folder',
  },
  dialectOption,
  neutraliseOption,
  { name: 'resume', value: 'FILE', help: 'resume a benchmark.json, in its folder' },
  { name: 'force', value: null, help: 'replace files that exist' },
  { name: 'markdown', value: null, help: 'print the tables as Markdown' },
  json,
  help,
]
