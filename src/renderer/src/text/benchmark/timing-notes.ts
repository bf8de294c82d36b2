/** What the finer timing of a comparison shows, and how far it can be trusted. */
import { contenderName } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { markOf } from '@shared/benchmark/scaled'
import { statisticsOf } from '@shared/benchmark/statistics'
import type { TimingLevel } from '@shared/run-config'
import { formatNumber } from '../numbers'
import { timingWords } from '../words'
import { t } from '@/i18n'

/** The sentence in the place of a plot for which nothing was timed; null where something was. */
export function untimedSentence(what: 'phases' | 'iterations', timing: TimingLevel): string | null {
  if (timing !== 'total') return null
  const { iterations, phases } = timingWords
  const choice = what === 'phases' ? `“${phases}”` : t('benchmark.or', [iterations, phases])
  return t('benchmark.noWereTimedChooseAsThe', [
    what === 'phases' ? t('benchmark.phases') : t('benchmark.iterations2'),
    choice,
  ])
}

/** That the finer timing has runs of its own, with the row where it changed the total most; null without any. */
export function finerSentence(
  { rows }: Pick<BenchmarkDocument, 'rows'>,
  workload: Pick<Measurement, 'dataset' | 'k'> | undefined,
): string | null {
  const own = rows
    .filter(({ dataset, k }) => dataset === workload?.dataset && k === workload.k)
    .flatMap((row) => {
      const { contender, phases } = row
      const { mean } = statisticsOf(row.totalsMs)
      return phases && mean !== null ? [{ contender, finer: phases.totalMs, mean, mark: markOf(row) }] : []
    })
  const apart = ({ finer, mean }: { finer: number; mean: number }): number => Math.abs(Math.log(finer / mean))
  const [most] = own.sort((a, b) => apart(b) - apart(a))
  if (!most) return null
  const says = t('benchmark.msAgainstAMeanOfMs', [
    most.mark,
    formatNumber(most.finer),
    most.mark,
    formatNumber(most.mean),
  ])
  const whose =
    own.length === 1
      ? t('benchmark.theirTotalIs')
      : t('benchmark.theTotalsDifferMostFor', [contenderName(most.contender)])
  return t('benchmark.measuredInSeparateRuns', [whose, says])
}
