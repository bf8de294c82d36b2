/** Words that stand right of a frame, each as near to its value as the others let it. */
import { topOf, type FigurePanel, type FigureText } from './figure'

/** CSS pixels from one such line to the next. */
export const besideHeight = 14

/** Tops at least a line apart and within 0..height, as near to the wanted ones as a pass down and a pass up get. */
export function spread(wanted: readonly number[], height: number, apart = besideHeight): readonly number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const tops = [...wanted]
  let least = -Infinity
  for (const at of order) least = (tops[at] = Math.max(tops[at] ?? 0, least)) + apart
  let most = height
  for (const at of order.reverse()) most = (tops[at] = Math.min(tops[at] ?? 0, most)) - apart
  return tops
}

/** The same words where the axes of a panel put them; one whose value is not shown stands at the end next to it. */
export function labelsBeside(
  panel: Pick<FigurePanel, 'frame' | 'x' | 'y'>,
  texts: readonly FigureText[],
): readonly FigureText[] {
  const { frame, x } = panel
  const own = texts.map((text) => topOf({ ...panel, frame: { ...frame, top: 0 } }, text.y))
  const wanted = own.map((top) => Math.min(frame.height, Math.max(0, top)))
  const tops = spread(wanted, frame.height)
  return texts.map((text, at) => ({ ...text, x: x.max, dy: (tops[at] ?? 0) - (own[at] ?? 0) }))
}
