import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceFloors } from '@engine/engines/engine'
import type { Contender } from '@tests/parity/contenders'
import type { Cell } from './cells'
import { measureCells } from './contestants'
import type { GridOptions } from './options'
import type { GridRow } from './row'
import { TurnQueue, type Turn } from './turns'

/**
 * Processes that make data, check labels and compile the peer's kernels side by side, all on one card: whatever keeps the card busy is
 * done by one of them at a time, so that nothing runs beside a measurement.
 */
export const workerMark = 'CENTROID_LAB_GRID_WORKER'

type FloorEntries = readonly (readonly [string, DeviceFloors | null])[]

type Message =
  | { readonly what: 'cell' }
  | { readonly what: 'turn' }
  | { readonly what: 'turn is over' }
  | { readonly what: 'rows'; readonly cell: Cell; readonly rows: readonly GridRow[] }
  | { readonly what: 'missing'; readonly missing: readonly string[] }
interface Beginning {
  readonly devices: readonly string[]
  readonly floors: FloorEntries
}
type Answer = { readonly cell: Cell | null } | Beginning | null

interface Shared extends Beginning {
  readonly cells: readonly Cell[]
  /** By `performance.now()`. */
  readonly end: number
  readonly keep: (cell: Cell, rows: readonly GridRow[]) => void
}

/** @returns why peers are missing */
export async function measureByWorkers(jobs: number, shared: Shared): Promise<string[]> {
  const stock = new CellStock(shared.cells)
  const turns = new TurnQueue()
  const missing = new Set<string>()
  const workers = Array.from({ length: jobs }, async (_, id) => {
    const child = fork(process.argv[1], process.argv.slice(2), {
      env: { ...process.env, [workerMark]: String(id) },
    })
    const answer = (message: Answer) => child.connected && child.send(message ?? {})
    answer({ devices: shared.devices, floors: shared.floors })
    child.on('message', (message: Message) => {
      if (message.what === 'cell') answer({ cell: performance.now() > shared.end ? null : stock.next(id) })
      else if (message.what === 'turn') turns.ask(id, () => answer(null))
      else if (message.what === 'turn is over') turns.giveBack(id)
      else if (message.what === 'rows') shared.keep(message.cell, message.rows)
      else if (message.what === 'missing') for (const reason of message.missing) missing.add(reason)
    })
    await ended(child)
    turns.giveBack(id)
  })
  await Promise.all(workers)
  return [...missing]
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/** Hands out cells so that one process gets those of the same points. */
export class CellStock {
  readonly #left: Cell[][] = []
  readonly #begun = new Map<number, Cell[]>()

  constructor(cells: readonly Cell[]) {
    const groups = new Map<string, Cell[]>()
    for (const cell of cells) {
      const { kind, n, d } = cell
      const key = `${kind} ${n} ${d}`
      groups.set(key, [...(groups.get(key) ?? []), cell])
    }
    this.#left.push(...groups.values())
  }

  next(worker: number): Cell | null {
    const own = this.#begun.get(worker) ?? []
    if (own.length === 0) this.#begun.set(worker, this.#left.shift() ?? [])
    return this.#begun.get(worker)?.shift() ?? this.#halved(worker)
  }

  /** Where no points are left that nobody began with: the later half of the longest list. */
  #halved(worker: number): Cell | null {
    const longest = [...this.#begun.values()].toSorted((a, b) => b.length - a.length).at(0)
    if (longest === undefined || longest.length < 2) return null
    this.#begun.set(worker, longest.splice(Math.ceil(longest.length / 2)))
    return this.#begun.get(worker)?.shift() ?? null
  }
}

/** What a process does that `measureByWorkers` started. */
export async function serveAsWorker(contenders: readonly Contender[], options: GridOptions): Promise<number> {
  const parent = new Parent()
  const { floors, devices } = (await parent.answer()) as Beginning
  const group = contenders.filter(({ device }) => devices.includes(device.id))
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-grid-'))
  try {
    const missing = await measureCells(group, parent.cells(), {
      ...{ floors: new Map(floors), end: Number.POSITIVE_INFINITY, options, folder },
      keep: (cell, rows) => parent.send({ what: 'rows', cell, rows }),
      turn: parent.turn,
    })
    await parent.sendAndWait({ what: 'missing', missing })
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The process that hands out cells and turns. */
class Parent {
  readonly #come: Answer[] = []
  #wake: (() => void) | null = null

  constructor() {
    process.on('message', (message: Answer) => {
      this.#come.push(message)
      this.#wake?.()
    })
    // Without the other process there are no turns, nor anybody to send.
    process.on('disconnect', () => process.exit(1))
  }

  send(message: Message): void {
    process.send?.(message)
  }

  /** Until it is on its way. */
  sendAndWait(message: Message): Promise<void> {
    return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
  }

  async answer(): Promise<Answer> {
    while (this.#come.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#come.shift() ?? null
  }

  readonly turn: Turn = async (work) => {
    this.send({ what: 'turn' })
    await this.answer()
    try {
      return await work()
    } finally {
      this.send({ what: 'turn is over' })
    }
  }

  async *cells(): AsyncGenerator<Cell> {
    for (;;) {
      this.send({ what: 'cell' })
      const { cell } = (await this.answer()) as { cell: Cell | null }
      if (cell === null) return
      yield cell
    }
  }
}
