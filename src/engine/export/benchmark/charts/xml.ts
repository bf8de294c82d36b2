import { sheetText } from '../sheet'

type Attributes = Readonly<Record<string, string | number>>

/** One element of XML; children are markup. */
export function tag(name: string, attributes: Attributes = {}, ...children: readonly string[]): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  return children.length === 0
    ? `<${name}${list.join('')}/>`
    : `<${name}${list.join('')}>${children.join('')}</${name}>`
}

/** An element that says one value, as most of DrawingML do. */
export const val = (name: string, value: string | number): string => tag(name, { val: value })

/** What XML can hold of a text, as markup. */
export function escaped(text: string): string {
  return sheetText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
