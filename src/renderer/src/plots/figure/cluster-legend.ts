/** What colours and shapes stand for, in rows under the title of a figure. */
import type { Palette } from '../palette'
import type { FigureCaption, Frame } from './figure'
import { aboutWidth } from './svg-text'
import { t } from '@/i18n'

/** More are not told apart by anybody. */
const maxEntries = 60
const lineHeight = 18
const margin = 12
const beside = 15
const gap = 14

export interface ClusterLegend {
  readonly captions: readonly FigureCaption[]
  /** Pixels below the title. */
  readonly height: number
}

/**
 * A key of some clusters.
 * @param top where it begins
 * @param leftOut colour of rows in no cluster; null where there are none
 */
export function clusterLegend(
  clusters: readonly number[],
  palette: Palette,
  top: number,
  width: number,
  leftOut: string | null = null,
): ClusterLegend {
  const captions: FigureCaption[] = []
  let [left, line] = [margin, 0]
  const put = (text: string, swatch: FigureCaption['swatch']): void => {
    const room = beside + aboutWidth(text, 11) + gap
    if (left > margin && left + room > width) [left, line] = [margin, line + 1]
    captions.push({ left, top: top + line * lineHeight + 6, text, swatch })
    left += room
  }
  for (const cluster of clusters.slice(0, maxEntries))
    put(palette.name(cluster), { shape: palette.shape(cluster), colour: palette.css(cluster) })
  const more = clusters.length - maxEntries
  if (more > 0) put(t('plots.andMore', [more]), null)
  if (leftOut !== null) put(t('rows.leftOut'), { shape: 'circle', colour: leftOut })
  return { captions, height: captions.length === 0 ? 0 : (line + 1) * lineHeight }
}

/** The frame that is left below a legend. */
export function belowLegend(frame: Frame, { height }: ClusterLegend): Frame {
  return { ...frame, top: frame.top + height, height: Math.max(1, frame.height - height) }
}
