import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { Journal } from './journal'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-journal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('leaves on disk what was kept last, though the one before takes longer to write', async () => {
  const document = comparisonDocument()
  const long = { ...document, suite: { ...document.suite, description: 'long '.repeat(2_000_000) } }
  const journal = new Journal(folder)
  await Promise.all([
    journal.keep({ ...long, state: 'paused' }),
    journal.keep({ ...document, state: 'cancelled' }),
  ])
  expect((await new Journal(folder).get(document.id))?.state).toBe('cancelled')
})
