import type { Precision } from '@shared/precision'
import { bytesOfCoordinate, coordinates } from '../dataset/coordinates'
import type { Coordinates } from '../engines/engine'
import { freeBytes, sizeOf, withinLimit } from '../memory'
import { loadCpuAddon } from '../engines/native'
import { allocateScratch, scratchLocation, scratchRefusal } from './scratch-file'

/** Numbers of a column, or codes of its texts. */
export type KeptValues = Int32Array | Float64Array | Uint8Array | Uint16Array

/** Where arrays lie that are as large as the data. */
export interface Room {
  readonly location: 'memory' | 'scratch'
  /** Why there: a sentence; null where nothing need be said. */
  readonly reason: string | null
  /** Values for keeps: the same array, or a copy. */
  keep<Values extends KeptValues>(values: Values): Values
  /** Zeros. */
  coordinates(precision: Precision, length: number): Coordinates
}

/** Of the process itself. */
export const inMemory: Room = {
  location: 'memory',
  reason: null,
  keep: (values) => values,
  coordinates(precision, length) {
    const bytes = length * bytesOfCoordinate(precision)
    const buffer = bytes < largeBytes ? undefined : loadCpuAddon().addon?.largeBuffer?.(bytes)
    if (buffer === undefined) return coordinates(precision, length)
    return precision === 'float64' ? new Float64Array(buffer) : new Float32Array(buffer)
  },
}

/** From here on pages are worth a thought. */
const largeBytes = 2 ** 20

/** Small arrays share a stretch of the file. */
const stretchBytes = 2 ** 26
const alignment = 64

/** In the scratch file. */
class ScratchRoom implements Room {
  readonly location = 'scratch'
  readonly reason: string
  #stretch = new ArrayBuffer(0)
  #used = 0

  constructor(reason: string) {
    this.reason = reason
  }

  keep<Values extends KeptValues>(values: Values): Values {
    const [buffer, offset] = this.#take(values.byteLength)
    const kept = new (values.constructor as new (...at: [ArrayBuffer, number, number]) => Values)(
      buffer,
      offset,
      values.length,
    )
    kept.set(values)
    return kept
  }

  coordinates(precision: Precision, length: number): Coordinates {
    const buffer = allocateScratch(Math.max(1, length) * bytesOfCoordinate(precision))
    return precision === 'float64' ? new Float64Array(buffer, 0, length) : new Float32Array(buffer, 0, length)
  }

  #take(bytes: number): [ArrayBuffer, number] {
    if (this.#used + bytes > this.#stretch.byteLength) {
      this.#stretch = allocateScratch(Math.max(stretchBytes, bytes))
      this.#used = 0
    }
    const offset = this.#used
    this.#used += Math.ceil(bytes / alignment) * alignment
    return [this.#stretch, offset]
  }
}

/** What needs room, in bytes. */
export interface Need {
  /** What it is, in the plural: the subject of a sentence. */
  readonly what: string
  readonly bytes: number
  /** Of what is made of it later, wherever that will lie. */
  readonly follows: number
  /** Of what must lie in memory in any case. */
  readonly beside: number
}

/** Memory where all of it fits, else a scratch file; or why neither, a clause. */
export function roomFor(
  { what, bytes, follows, beside }: Need,
  free = freeBytes(),
): Room | { readonly refusal: string } {
  if (bytes + follows + beside <= free) return inMemory
  if (beside > free) return { refusal: `${sizeOf(beside)} of it must lie in memory` }
  const refusal = scratchRefusal(bytes + follows)
  if (refusal !== null) return { refusal }
  const reason = `${what} (${sizeOf(bytes)}) lie in a scratch file in ${scratchLocation()}, because only ${sizeOf(free)} of memory are free${withinLimit()}; it may take longer than in memory.`
  return new ScratchRoom(reason)
}
