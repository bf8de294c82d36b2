/** Widths of short texts without laying them out. */
import { onMounted, shallowRef, type Ref } from 'vue'

export type Measure = (text: string) => number

/** About half the size of the font, where nothing can be measured (component tests). */
const guessedCharacter = 7.5

/**
 * Measures in CSS pixels with a CSS font. Figures count as wide as a zero, as the window sets them in tables.
 */
function textMeasure(font: string): Measure {
  const context = 'OffscreenCanvas' in globalThis ? new OffscreenCanvas(1, 1).getContext('2d') : null
  if (!context) return (text) => text.length * guessedCharacter
  context.font = font
  return (text) => context.measureText(text.replace(/\d/g, '0')).width
}

/** Measures in the font of an element, once it is there. */
export function useTextMeasure(element: Readonly<Ref<HTMLElement | null>>): Readonly<Ref<Measure>> {
  const measure = shallowRef<Measure>(textMeasure(''))
  onMounted(() => {
    if (element.value) measure.value = textMeasure(fontOf(element.value))
  })
  return measure
}

/** The font of an element; its `font` is empty as soon as something finer, such as tabular figures, is set. */
function fontOf(element: Element): string {
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  return `${fontWeight} ${fontSize} ${fontFamily}`
}
