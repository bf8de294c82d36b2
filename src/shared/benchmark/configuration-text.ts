import { plural } from '../quantity-words'
import { shortFilterText } from '../row-filter/filter-text'
import { toleranceOf } from '../run-config'
import { emptyWords, initWords, missingWords, scalingsInWords, stopWords } from '../setting-words'
import { cellLimitMs, limitText } from './cell-limit'
import type { BenchmarkDocument } from './document'
import { machineLine, type MachineFact } from './machine-text'
import { precisionOf } from '../precision'
import { workersVariant } from '../workers'
import type { Suite } from './suite'
import { t } from '../locale/translate'

/** What held for every contender of a comparison, as names and values. */
export function configurationDescription({
  suite,
}: Pick<BenchmarkDocument, 'suite'>): readonly MachineFact[] {
  const { config } = suite
  return [
    ...(suite.scale === 1 ? [] : [{ name: t('benchmark-tables.scale'), value: scaleText(suite) }]),
    { name: t('benchmark-tables.start'), value: startText(suite) },
    { name: t('benchmark-tables.stop'), value: stopText(suite) },
    { name: t('benchmark-tables.emptyClusters'), value: emptyWords[config.empty] },
    { name: t('benchmark-tables.scaling'), value: scalingsInWords(config) },
    { name: t('benchmark-tables.missingValues'), value: missingWords[config.missing] },
    ...(config.oneHot ? [{ name: t('benchmark-tables.oneHot'), value: config.oneHot.join(', ') }] : []),
    ...(config.filter ? [{ name: t('benchmark-tables.rows'), value: shortFilterText(config.filter) }] : []),
    {
      name: t('benchmark-tables.features'),
      value:
        config.features === null
          ? t('benchmark-tables.asProposedForEachDataset')
          : config.features.join(', '),
    },
    ...(workersText(suite) === null
      ? []
      : [{ name: t('benchmark-tables.workers'), value: workersText(suite) ?? '' }]),
    { name: t('benchmark-tables.precision'), value: precisionOf(config) },
    { name: t('benchmark-tables.runs'), value: runsText(suite) },
    { name: t('benchmark-tables.timing'), value: timingText(suite) },
    { name: t('benchmark-tables.counted'), value: countedText() },
    ...(suite.contenders.some(({ kind }) => kind === 'outside')
      ? [{ name: t('benchmark-tables.outsideSystems'), value: outsideText() }]
      : []),
  ]
}

const countedText = (): string => t('benchmark-tables.uploadInitialCentroidsIterationsAndReading')
const outsideText = (): string => t('benchmark-tables.theClusteringAloneFromTheSame')

/** The same in one line, for captions: what a reader needs to compare. */
export function configurationLine({ suite }: Pick<BenchmarkDocument, 'suite'>): string {
  const outside = suite.contenders.some(({ kind }) => kind === 'outside')
  const scale = suite.scale === 1 ? '' : `${scaleText(suite)}; `
  const workers =
    workersText(suite) === null ? '' : t('benchmark-tables.workers2', [String(workersText(suite))])
  const precision = precisionOf(suite.config) === 'float32' ? '' : t('benchmark-tables.inFloat64')
  const line = t('benchmark-tables.startStopCounted', [
    scale,
    withinSentence(startText(suite)),
    withinSentence(stopText(suite)),
    workers,
    precision,
    runsText(suite),
    countedText(),
  ])
  return outside ? t('benchmark-tables.ofOutsideSystems', [line, outsideText()]) : line
}

const withinSentence = (words: string): string => `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`

/** Null where the study's number holds, or nobody has workers. */
function workersText({ config, contenders }: Suite): string | null {
  const has = contenders.some((one) => one.kind === 'variant' && one.variant === workersVariant)
  return (config.workers ?? null) === null || !has ? null : `${config.workers} (${workersVariant})`
}

const scaleText = ({ scale }: Suite): string => t('benchmark-tables.timesThePoints', [scale])

function startText({ config }: Suite): string {
  if (config.init === 'file') return config.centroidsFile ?? 'file'
  const start = initWords[config.init]
  return config.init === 'first-k' ? start : t('benchmark-tables.seed', [start, config.seed])
}

function stopText({ config }: Suite): string {
  const iterations = plural(config.maxIterations, 'iteration')
  if (config.stop === 'none') return t('benchmark-tables.after', [iterations])
  if (config.stop === 'labels') return t('benchmark-tables.whenNoLabelChangesAtMost', [iterations])
  return t('benchmark-tables.atAtMost', [stopWords[config.stop], toleranceOf(config), iterations])
}

function runsText(suite: Suite): string {
  const { warmup, repeats } = suite
  const limitMs = cellLimitMs(suite)
  const limit = limitMs === null ? '' : t('benchmark-tables.atMostACell', [limitText(limitMs)])
  return t('benchmark-tables.interleaved', [plural(warmup, 'warm-up run'), plural(repeats, 'repeat'), limit])
}

function timingText({ timing }: Suite): string {
  if (timing === 'total') return 'total'
  return t('benchmark-tables.inSeparateRunsTotalsWithoutFiner', [timing])
}

/** Where and how a table was measured: in the caption of each. */
export function captionOf(document: BenchmarkDocument): string {
  const { machine, startedAt } = document
  return t('benchmark-tables.machineAndConfiguration', [
    machineLine(machine, startedAt),
    configurationLine(document),
  ])
}
