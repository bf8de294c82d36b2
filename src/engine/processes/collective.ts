import { deserialize, serialize } from 'node:v8'
import type { RowPart } from '../engines/engine'
import type { RunProcesses } from './run-processes'

/** What processes need to talk to each other; every one calls the same functions in the same order. */
export type Talking = Pick<RunProcesses, 'rank' | 'size' | 'exchange'>

/** As of float64 sums over rows: a part of them begins at a multiple of this (kernels/contract.md). */
export const rowsOfBlock = 1 << 14

/** The rows of each process, by rank: whole blocks, as many for each as can be. */
export function rowParts(n: number, size: number): readonly RowPart[] {
  const blocks = Math.ceil(n / rowsOfBlock)
  const begin = (rank: number) => Math.min(n, Math.floor((blocks * rank) / size) * rowsOfBlock)
  return Array.from({ length: size }, (_, rank) => ({
    first: begin(rank),
    count: begin(rank + 1) - begin(rank),
  }))
}

/** The bytes of any numbers, not copied. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

const nothing = new Uint8Array()

/** What each process has, by rank. */
export async function gathered(processes: Talking, bytes: Uint8Array): Promise<readonly Uint8Array[]> {
  return processes.exchange(Array.from({ length: processes.size }, () => bytes))
}

/** The same of plain data, numbers that are not finite and arrays of numbers among them. */
export async function gatheredData<T>(processes: Talking, own: T): Promise<readonly T[]> {
  const all = await gathered(processes, serialize(own))
  return all.map((bytes) => deserialize(bytes) as T)
}

/** The same of float64 numbers. */
export async function gatheredNumbers(
  processes: Talking,
  own: Float64Array,
): Promise<readonly Float64Array[]> {
  return (await gathered(processes, bytesOf(own))).map(
    ({ buffer }) => new Float64Array(buffer as ArrayBuffer),
  )
}

/** Sums of whole numbers, or of what is exact in float64. */
export async function summed(processes: Talking, own: readonly number[]): Promise<readonly number[]> {
  const all = await gatheredNumbers(processes, Float64Array.from(own))
  return own.map((_, i) => all.reduce((sum, values) => sum + values[i], 0))
}

/**
 * Calls `visit` with the bytes of each process in the order of the ranks, on the first process alone, which holds those of one at
 * a time.
 */
export async function visitOnFirst(
  processes: Talking,
  own: Uint8Array,
  visit: (bytes: Uint8Array, rank: number) => Promise<void> | void,
): Promise<void> {
  const { rank, size } = processes
  if (rank === 0) await visit(own, 0)
  for (let turn = 1; turn < size; turn++) {
    const parts = Array.from({ length: size }, (_, to) => (rank === turn && to === 0 ? own : nothing))
    const from = await processes.exchange(parts)
    if (rank === 0) await visit(from[turn], turn)
  }
}

/** Lets each process in the order of the ranks change the state that the one before left; afterwards all have the last one. */
export async function inOrder(
  processes: Talking,
  state: Uint8Array,
  change: () => Promise<void> | void,
): Promise<void> {
  const { rank, size } = processes
  for (let turn = 0; turn < size; turn++) {
    if (turn === rank) await change()
    const isNext = (to: number) => turn === rank && (to === turn + 1 || turn === size - 1)
    const from = await processes.exchange(
      Array.from({ length: size }, (_, to) => (isNext(to) ? state : nothing)),
    )
    if (from[turn].length > 0) state.set(from[turn])
  }
}
