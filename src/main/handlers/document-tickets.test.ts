import { comparisonDocument } from '@shared/benchmark/testing/document'
import { documentOf } from '@shared/benchmark/document-parts'
import { expect, it } from 'vitest'
import { DocumentTickets } from './document-tickets'

/** A comparison of thousands of cells. */
function large() {
  const document = comparisonDocument()
  const sets = Array.from({ length: 200 }, (_, i) => `set ${i}`)
  const of = <T extends object>(cells: readonly T[]) =>
    sets.flatMap((dataset) => cells.map((cell) => ({ ...cell, dataset })))
  return { ...document, plan: of(document.plan), rows: of(document.rows) }
}

it('a comparison read part by part is the one that was opened', async () => {
  const tickets = new DocumentTickets()
  const { ticket, parts } = tickets.hold(large())
  expect(parts).toBeGreaterThan(10)
  async function* read() {
    for (let part = 0; part < parts; part++) yield Promise.resolve(tickets.part(ticket, part))
  }
  expect(await documentOf(read(), () => Promise.resolve())).toEqual(large())
  expect(() => tickets.part(ticket, parts - 1)).toThrow(/open it again/)
})

it('keeps what several readers read apart, and of those that stopped reading the newest', () => {
  const tickets = new DocumentTickets()
  const one = comparisonDocument()
  const held = Array.from({ length: 6 }, (_, i) => tickets.hold({ ...one, id: `comparison ${i}` }))
  expect(tickets.part(held[5].ticket, 0)).toContain('comparison 5')
  expect(tickets.part(held[2].ticket, 0)).toContain('comparison 2')
  expect(() => tickets.part(held[1].ticket, 0)).toThrow(/open it again/)
  expect(() => tickets.part(held[5].ticket, 99)).toThrow(/open it again/)
})
