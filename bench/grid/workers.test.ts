import { describe, expect, it } from 'vitest'
import type { Cell } from './cells'
import { TurnQueue } from './turns'
import { CellStock } from './workers'

const cellsOfKinds: Cell[] = (['normal', 'skew'] as const).flatMap((kind) =>
  [3, 10, 32].map((k) => ({ kind, n: 100, d: 2, k })),
)

describe('cells handed out to several processes', () => {
  it('of the same points go to one of them, until nothing else is left', () => {
    const stock = new CellStock(cellsOfKinds)
    const given = [0, 1, 0].map((worker) => stock.next(worker))
    expect(given).toEqual([cellsOfKinds[0], cellsOfKinds[3], cellsOfKinds[1]])
    expect(stock.next(2)).toEqual(cellsOfKinds[5])
    expect([stock.next(0), stock.next(1)]).toEqual([cellsOfKinds[2], cellsOfKinds[4]])
  })

  it('are each given once, whoever asks', () => {
    const stock = new CellStock(cellsOfKinds)
    const given = Array.from({ length: 20 }, (_, i) => stock.next(i % 3)).filter((cell) => cell !== null)
    expect(given).toHaveLength(cellsOfKinds.length)
    expect(new Set(given)).toEqual(new Set(cellsOfKinds))
  })
})

describe('turns on a device', () => {
  it('come one at a time in the order of asking', () => {
    const turns = new TurnQueue()
    const come: string[] = []
    for (const owner of [0, 1, 2]) turns.ask(owner, () => come.push(`${owner}`))
    expect(come).toEqual(['0'])
    turns.giveBack(0)
    turns.giveBack(1)
    expect(come).toEqual(['0', '1', '2'])
  })

  it('pass by a process that ended, in its turn or before it', () => {
    const turns = new TurnQueue()
    const come: string[] = []
    for (const owner of [0, 1, 2]) turns.ask(owner, () => come.push(`${owner}`))
    turns.giveBack(1)
    turns.giveBack(0)
    expect(come).toEqual(['0', '2'])
  })
})
