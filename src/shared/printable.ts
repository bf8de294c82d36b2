/**
 * Control characters that a terminal or a line of text would carry out instead of showing: C0, DEL and C1, and those that
 * break a line or turn the direction of writing round.
 */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text of a file or of a file's name with its controls shown as escapes, e.g. `\x1b`: for titles, dialogs and terminals. */
export function printable(text: string): string {
  return text.replace(controls, (control) => {
    const code = control.charCodeAt(0)
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`
  })
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
