import type { BenchmarkDocument } from '@shared/benchmark/document'
import { ratioPlots, type RatioPair, type RatioPlot, type RatioSeries } from '@shared/benchmark/ratio-plot'
import { headWord } from '@shared/benchmark/table'
import { t } from '@shared/locale/translate'
import { logAxisOf, plainAxis, type Chart, type ChartSeries } from './chart'

/** Ratios over the words transferred, and the study's beside those measured: its have no words to stand over. */
export function ratioCharts(document: BenchmarkDocument): readonly Chart[] {
  return ratioPlots(document).flatMap((plot) => [overWords(plot), besidePublished(plot)])
}

function overWords({ title, says, series }: RatioPlot): Chart {
  return {
    ...{ kind: 'lines', title: `${title}. ${says}`, of: 'k' },
    keys: logAxisOf(t('benchmark-tables.wordsOf4BytesThatCross')),
    values: logAxisOf(headWord('speed-up'), 1),
    series: series.map(({ name, look, points }): ChartSeries => ({
      ...{ name, look, marks: 'filled' },
      points: points.map(({ words, ratio }) => ({ key: words, value: ratio, range: null })),
    })),
  }
}

function besidePublished({ systems, says, series }: RatioPlot): Chart {
  const pairs = series.flatMap((one) => one.pairs.map((pair) => ({ ...pair, ...one })))
  const ofPairs = (of: 'measured' | 'published'): ChartSeries['points'] =>
    pairs.map((pair: RatioPair & RatioSeries) => ({
      ...{ key: `${pair.name}, ${pair.what}`, value: pair[of], range: null, look: pair.look },
    }))
  return {
    ...{
      kind: 'dots',
      title: `${t('benchmark-tables.publishedRatiosBesideMeasuredOf', [systems])}. ${says}`,
    },
    of: headWord('ratio'),
    ...{
      keys: plainAxis(t('benchmark-tables.overTheDataOfEachK')),
      values: logAxisOf(headWord('speed-up'), 1),
    },
    series: [
      { name: headWord('measured'), look: 'own', points: ofPairs('measured') },
      { name: headWord('published'), look: 'own', marks: 'published', points: ofPairs('published') },
    ],
  }
}
