/** Sentences kept about rows and cells that were left out. */
const maxNotes = 20

/** Counts what an import leaves out, and keeps the first sentences about it. */
export class ImportNotes {
  readonly sentences: string[] = []
  /** The record that each of them is about. */
  readonly records: number[] = []
  tooLong = 0
  tooShort = 0
  infiniteCells = 0
  blankLines = 0
  /** The first row of another width: `row 3 has 2`. */
  firstRagged = ''

  ragged(record: number, cells: number, width: number): void {
    if (cells > width) this.tooLong++
    else this.tooShort++
    this.firstRagged ||= `row ${grouped(record)} has ${cells}`
    this.#add(record, `Row ${grouped(record)} has ${cells} cells where ${width} belong: it was left out.`)
  }

  cell(record: number, column: string, text: string, kind: 'infinite' | 'other'): void {
    if (kind === 'infinite') this.infiniteCells++
    const why = kind === 'infinite' ? 'is infinite' : 'is not a number'
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
    this.#add(record, `Row ${grouped(record)}, column ${column}: '${shown}' ${why}; it counts as missing.`)
  }

  #add(record: number, sentence: string): void {
    if (this.sentences.length === maxNotes) return
    this.sentences.push(sentence)
    this.records.push(record)
  }
}

/** `9 000`: a number as sentences have it. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
}
