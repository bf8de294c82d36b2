/**
 * Characters that steer a terminal, a window's title or the direction of text instead of being seen: C0, DEL, C1,
 * Unicode's separators of lines and its marks, embeddings and isolates of direction.
 */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The text with its controls visible (`\x1b`, `\u{202e}`): names of files and columns are anybody's. */
export function printable(text: string): string {
  return text.replace(controls, visible)
}

/** The same for text of several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(controls, (control) =>
    control === '\n' || control === '\t' ? control : visible(control),
  )
}

/** JSON on one line, in which no control stands raw; it reads back to the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(controls, (control) => `\\u${hex(control, 4)}`)
}

function visible(control: string): string {
  return control.charCodeAt(0) < 256 ? `\\x${hex(control, 2)}` : `\\u{${hex(control, 4)}}`
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
