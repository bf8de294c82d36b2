import type { OddCells } from '@shared/dataset'
import { looksLikeNumber } from './number-like'

/** Of a column of text so many cells are looked at. */
const maxLooked = 1000

/** Of the cells that are not missing: from here on a column seems to be meant as numbers. */
const notableShare = 0.2

const maxShown = 40

/** Watches the cells of a column that are no numbers and are not missing. */
export class OddCellWatch {
  #count = 0
  #looked = 0
  #like = 0
  #first: Pick<OddCells, 'row' | 'cell'> | null = null
  #firstLike: Pick<OddCells, 'row' | 'cell'> | null = null

  /** @param row its number in the file */
  add(cell: string, row: number, infinite: boolean): void {
    this.#count++
    this.#first ??= { row, cell: shown(cell) }
    if (this.#looked === maxLooked) return
    this.#looked++
    if (!infinite && !looksLikeNumber(cell)) return
    this.#like++
    this.#firstLike ??= { row, cell: shown(cell) }
  }

  /**
   * @param numbers cells that are numbers
   * @param count where only the first thousand were added: how many there are
   */
  found(numbers: number, count = this.#count): OddCells | undefined {
    if (this.#first === null) return undefined
    const like = (this.#like / this.#looked) * count
    const likeNumbers = numbers + like >= notableShare * (numbers + count)
    const example = (likeNumbers ? this.#firstLike : null) ?? this.#first
    return { count, likeNumbers, ...example }
  }
}

function shown(cell: string): string {
  return cell.length > maxShown ? `${cell.slice(0, maxShown)}…` : cell
}
