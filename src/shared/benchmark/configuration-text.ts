import { plural } from '../quantity-words'
import { shortFilterText } from '../row-filter/filter-text'
import { toleranceOf, type ScalingChoice } from '../run-config'
import { cellLimitMs, limitText } from './cell-limit'
import type { BenchmarkDocument } from './document'
import type { MachineFact } from './machine-text'
import { precisionOf } from '../precision'
import { workersVariant } from '../workers'
import type { Suite } from './suite'

/** What held for every contender of a comparison, as names and values. */
export function configurationDescription({
  suite,
}: Pick<BenchmarkDocument, 'suite'>): readonly MachineFact[] {
  const { config } = suite
  return [
    ...(suite.scale === 1 ? [] : [{ name: 'Scale', value: scaleText(suite) }]),
    { name: 'Start', value: startText(suite) },
    { name: 'Stop', value: stopText(suite) },
    { name: 'Empty clusters', value: config.empty },
    { name: 'Scaling', value: scalingText(config) },
    { name: 'Missing values', value: config.missing },
    ...(config.oneHot ? [{ name: 'One-hot', value: config.oneHot.join(', ') }] : []),
    ...(config.filter ? [{ name: 'Rows', value: shortFilterText(config.filter) }] : []),
    {
      name: 'Features',
      value: config.features === null ? 'as proposed for each dataset' : config.features.join(', '),
    },
    ...(workersText(suite) === null ? [] : [{ name: 'Workers', value: workersText(suite) ?? '' }]),
    { name: 'Precision', value: precisionOf(config) },
    { name: 'Runs', value: runsText(suite) },
    { name: 'Timing', value: timingText(suite) },
    { name: 'Counted', value: countedText },
    ...(suite.contenders.some(({ kind }) => kind === 'outside')
      ? [{ name: 'Outside systems', value: outsideText }]
      : []),
  ]
}

const countedText =
  'upload, initial centroids, iterations and reading the result; opening a device and compiling are not'
const outsideText =
  'the clustering alone, from the same start; process, transfer and initial centroids are not counted; points in float64'

/** The same in one line, for captions: what a reader needs to compare. */
export function configurationLine({ suite }: Pick<BenchmarkDocument, 'suite'>): string {
  const outside = suite.contenders.some(({ kind }) => kind === 'outside')
  const scale = suite.scale === 1 ? '' : `${scaleText(suite)}; `
  const workers = workersText(suite) === null ? '' : `workers ${workersText(suite)}; `
  const precision = precisionOf(suite.config) === 'float32' ? '' : 'in float64; '
  const line = `${scale}start ${startText(suite)}; stop ${stopText(suite)}; ${workers}${precision}${runsText(suite)}; counted: ${countedText}`
  return outside ? `${line}; of outside systems ${outsideText}` : line
}

/** `none, but a: robust`. */
export function scalingText({ scaling, columnScalings = [] }: ScalingChoice): string {
  const own = columnScalings.map((one) => `${one.column}: ${one.scaling}`)
  return own.length === 0 ? scaling : `${scaling}, but ${own.join(', ')}`
}

/** Null where the study's number holds, or nobody has workers. */
function workersText({ config, contenders }: Suite): string | null {
  const has = contenders.some((one) => one.kind === 'variant' && one.variant === workersVariant)
  return (config.workers ?? null) === null || !has ? null : `${config.workers} (${workersVariant})`
}

const scaleText = ({ scale }: Suite): string => `${scale} times the points`

function startText({ config }: Suite): string {
  if (config.init === 'file') return config.centroidsFile ?? 'file'
  return config.init === 'first-k' ? 'first-k' : `${config.init}, seed ${config.seed}`
}

function stopText({ config }: Suite): string {
  const iterations = config.maxIterations === 1 ? '1 iteration' : `${config.maxIterations} iterations`
  if (config.stop === 'none') return `after ${iterations}`
  if (config.stop === 'labels') return `when no label changes, at most ${iterations}`
  return `${config.stop} at ${toleranceOf(config)}, at most ${iterations}`
}

function runsText(suite: Suite): string {
  const { warmup, repeats } = suite
  const limitMs = cellLimitMs(suite)
  const limit = limitMs === null ? '' : `, at most ${limitText(limitMs)} a cell`
  return `${plural(warmup, 'warm-up run')}, ${plural(repeats, 'repeat')}, interleaved${limit}`
}

function timingText({ timing }: Suite): string {
  if (timing === 'total') return 'total'
  return `${timing}, in separate runs; totals without finer timing`
}
