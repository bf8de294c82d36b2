/** Which tip a place in a panel means. */
import type { PlotTip } from '../benchmark/plot'
import { leftOf, topOf, type FigurePanel } from './figure'

/**
 * Index of the tip that lies nearest to a place in CSS pixels of the figure along an axis; null where there is none, or the
 * place is outside the frame.
 */
export function nearestTip(
  panel: FigurePanel,
  tips: readonly PlotTip[],
  axis: 'x' | 'y' | 'xy',
  { x, y }: { readonly x: number; readonly y: number },
): number | null {
  const { left, top, width, height } = panel.frame
  if (x < left || x > left + width || y < top || y > top + height) return null
  let [found, least]: [number | null, number] = [null, Infinity]
  tips.forEach((tip, at) => {
    const across = axis === 'y' ? 0 : leftOf(panel, tip.x) - x
    const up = axis === 'x' ? 0 : topOf(panel, tip.y) - y
    const far = across * across + up * up
    if (far < least) [found, least] = [at, far]
  })
  return found
}
