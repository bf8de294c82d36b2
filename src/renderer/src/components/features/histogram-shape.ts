/** A histogram as one outline and as words. */
import type { Histogram } from '@shared/dataset'
import { t } from '@/i18n'
import { formatCount, formatPlain } from '@/text/numbers'

/** Drawn in a box of one unit a bin and this height. */
export const boxHeight = 16
/** Part of a bin's width that stays empty. */
const gap = 0.2
/** A bin with few values among many stays visible. */
const minHeight = 1

/** Bars from left to right as an SVG path; bins without values leave a hole. */
export function barsPath({ counts }: Histogram): string {
  const most = Math.max(...counts, 1)
  return counts
    .map((count, bin) => {
      if (count === 0) return ''
      const height = Math.max(minHeight, (count / most) * boxHeight)
      return `M${bin} ${boxHeight}v${-Number(height.toFixed(2))}h${1 - gap}v${Number(height.toFixed(2))}z`
    })
    .join('')
}

/** Where most of the values lie, for those who cannot see the bars. */
export function shapeInWords({ min, max, counts }: Histogram): string {
  const fullest = counts.indexOf(Math.max(...counts))
  const edge = (bin: number): string => formatPlain(min + ((max - min) * bin) / counts.length)
  return t('settings.commonRange', [edge(fullest), edge(fullest + 1), formatCount(counts[fullest] ?? 0)])
}
