import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { comparisonsIn, hostHandlers } from './handlers'
import { Spool } from './spool'
import { HostStore } from './store'
import { ReportingJournal } from './reporting-journal'

let folder: string
let target: string
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  folder = mkdtempSync(join(tmpdir(), 'reporting journal '))
  target = join(folder, 'benchmarks')
  writeFileSync(target, 'a file where the folder should be')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

it('says once that a comparison is in memory alone, and again when that comes back', async () => {
  const document = { ...comparisonDocument(), id: 'one' }
  const sentences: string[] = []
  const journal = new ReportingJournal(target, (each) => sentences.push(each))
  const sentence = `The comparison '${document.suite.name}' cannot be kept on disk and is lost when Centroid Lab ends: make room in ${target}, allow it to be written, or export the tables.`
  expect([await journal.keep(document), await journal.keep(document)]).toEqual([false, false])
  expect(sentences).toEqual([sentence])
  rmSync(target)
  expect(await journal.keep(document)).toBe(true)
  rmSync(target, { recursive: true })
  writeFileSync(target, '')
  expect(await journal.keep(document)).toBe(false)
  expect(sentences).toEqual([sentence, sentence])
})

it('of a comparison that the window begins', async () => {
  const store = new HostStore(new Spool(null))
  const sendEvent = vi.fn()
  const comparisons = comparisonsIn(target, store, sendEvent)
  const handlers = hostHandlers(store, sendEvent, comparisons)
  const { suite } = comparisonDocument()
  const { benchId } = await handlers['bench.start']({ suite })
  await handlers['bench.cancel']({ benchId })
  const notices = sendEvent.mock.calls.filter(([channel]) => channel === 'host.notice')
  expect(notices).toEqual([['host.notice', { sentence: expect.stringContaining('cannot be kept on disk') }]])
})
