import { inMemory, type Room } from '../scratch/room'
import type { CategoryColumn, CodeBlocks } from './dataset'

const blockBits = 14
/** Rows of a block, as of NumberBlocks. */
const blockRows = 1 << blockBits
const firstRoom = 1 << 6

/** Different texts a column is held with; of one with more only that there are more is known. */
export const maxCategories = 1000

/** Codes below this fit into a byte. */
const byteCodes = 256

/**
 * A column of texts from wherever its rows were read.
 * @param texts all different, as they stand in the file, in the order in which they come there
 * @param blocks of 2^14 rows, the last one shorter: 0 for a missing cell, i + 1 for the text i
 */
export function heldCategories(
  texts: readonly string[],
  blocks: readonly (Uint8Array | Uint16Array)[],
): CategoryColumn {
  const values = [...new Set(texts.map((text) => text.trim()))]
  const positions = new Map(values.map((value, i) => [value, i]))
  const indexOf = Int16Array.from([-1, ...texts.map((text) => positions.get(text.trim()) ?? -1)])
  return new HeldCategories(values, indexOf, blocks)
}

/** A growing column of texts that repeat: each text once, and a small number a row. */
export class CategoryBlocks {
  /** Code 0 is a missing cell. */
  readonly #codes = new Map<string, number>()
  #blocks: (Uint8Array | Uint16Array)[] = []
  #open = new Uint16Array(firstRoom)
  #used = 0
  /** Texts beyond `maxCategories` came: rows are not held any more. */
  #many = false
  readonly #room: Pick<Room, 'keep'>

  /** @param room where full blocks lie */
  constructor(room: Pick<Room, 'keep'> = inMemory) {
    this.#room = room
  }

  /** Different texts so far, at most `maxCategories`. */
  get distinct(): number {
    return this.#codes.size
  }

  get isMany(): boolean {
    return this.#many
  }

  /** In the order in which they came, by their codes from 1 on; null where there are too many. */
  get texts(): readonly string[] | null {
    return this.#many ? null : [...this.#codes.keys()]
  }

  /** Of the rows so far. */
  get codes(): readonly (Uint8Array | Uint16Array)[] {
    return [...this.#blocks, this.#open.subarray(0, this.#used)]
  }

  push(text: string): void {
    if (this.#many) return
    const known = this.#codes.get(text)
    if (known !== undefined) this.#put(known)
    else if (this.#codes.size < maxCategories) {
      this.#codes.set(text, this.#codes.size + 1)
      this.#put(this.#codes.size)
    } else this.#letGo()
  }

  /** Counts a text without a row. */
  note(text: string): void {
    if (this.#many) return
    if (this.#codes.size < maxCategories) this.#codes.set(text, this.#codes.get(text) ?? this.#codes.size + 1)
    else if (!this.#codes.has(text)) this.#letGo()
  }

  /** Codes of rows as another reader gave them, in the order in which the texts came; `name` tells which they are. */
  pushCodes(codes: Uint16Array): void {
    for (let at = 0; at < codes.length && !this.#many;) {
      if (this.#used === this.#open.length) this.#grow()
      const taken = codes.subarray(at, at + this.#open.length - this.#used)
      this.#open.set(taken, this.#used)
      this.#used += taken.length
      at += taken.length
      if (this.#used === blockRows) this.#close()
    }
  }

  /** @param texts by their codes from 1 on; null where there are too many */
  name(texts: readonly string[] | null): void {
    if (texts === null) this.#letGo()
    else for (const [i, text] of texts.entries()) this.#codes.set(text, i + 1)
  }

  pushMissing(): void {
    this.#put(0)
  }

  /** Texts without blanks around them; undefined where there are too many, or none. No cell follows. */
  finish(): CategoryColumn | undefined {
    if (this.#many || this.#codes.size === 0) return undefined
    this.#close()
    return heldCategories([...this.#codes.keys()], this.#blocks)
  }

  #put(code: number): void {
    if (this.#many) return
    if (this.#used === this.#open.length) this.#grow()
    this.#open[this.#used++] = code
    if (this.#used === blockRows) this.#close()
  }

  #grow(): void {
    const larger = new Uint16Array(Math.min(blockRows, this.#open.length * 2))
    larger.set(this.#open)
    this.#open = larger
  }

  #close(): void {
    const used = this.#open.subarray(0, this.#used)
    const narrow = used.every((code) => code < byteCodes)
    this.#blocks.push(this.#room.keep(narrow ? Uint8Array.from(used) : used.slice()))
    this.#used = 0
  }

  #letGo(): void {
    this.#many = true
    this.#blocks = []
    this.#open = new Uint16Array()
  }
}

class HeldCategories implements CategoryColumn {
  readonly byteLength: number

  constructor(
    readonly values: readonly string[],
    /** Index of a code's text in `values`. */
    private readonly indexOf: Int16Array,
    private readonly blocks: readonly (Uint8Array | Uint16Array)[],
  ) {
    this.byteLength = blocks.reduce((sum, codes) => sum + codes.byteLength, 0)
  }

  get length(): number {
    const full = this.blocks.length - 1
    return full * blockRows + this.blocks[full].length
  }

  at(row: number): number {
    return this.indexOf[this.blocks[row >>> blockBits][row & (blockRows - 1)]]
  }

  codeBlocks(valueOf: (index: number) => number): CodeBlocks {
    return { codes: this.blocks, values: Float64Array.from(this.indexOf, valueOf) }
  }
}
