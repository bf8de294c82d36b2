import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
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

it('tells of what it cannot read any more, and lets it be forgotten', async () => {
  const own = join(folder, 'damaged')
  const document = comparisonDocument()
  const journal = new Journal(own)
  await journal.keep({ ...document, id: 'whole' })
  await journal.keep({ ...document, id: 'cut' })
  await journal.keep({ ...document, id: 'altered' })
  const cut = join(own, 'cut.benchmark.json')
  await writeFile(cut, (await readFile(cut, 'utf8')).slice(0, 500))
  const altered = JSON.stringify({ ...document, rows: [{ ...document.rows[0], totalsMs: ['fast'] }] })
  await writeFile(join(own, 'altered.benchmark.json'), altered)

  const later = new Journal(own)
  expect((await later.all()).map(({ id }) => id)).toEqual(['whole'])
  expect((await later.damaged()).map(({ sentence }) => sentence).toSorted()).toEqual([
    'The file altered.benchmark.json of an earlier comparison is damaged at rows.0.totalsMs.0: put back a copy of it and start Centroid Lab again, or delete it.',
    'The file cut.benchmark.json of an earlier comparison is damaged (it is no JSON document): put back a copy of it and start Centroid Lab again, or delete it.',
  ])
  await later.forget('cut')
  await later.forget('altered')
  expect(await later.damaged()).toEqual([])
  expect(await readdir(own)).toEqual(['whole.benchmark.json'])
})

it('opens what was kept before regimes were: they are not known', async () => {
  const own = join(folder, 'older')
  const document = comparisonDocument()
  await new Journal(own).keep(document)
  const rows = document.rows.map(({ regime: _, regimeReason: _why, phasesRegime: _fine, ...row }) => row)
  await writeFile(join(own, `${document.id}.benchmark.json`), JSON.stringify({ ...document, rows }))
  const later = await new Journal(own).get(document.id)
  expect(later?.rows[1]).toEqual({
    ...document.rows[1],
    ...{ regime: null, regimeReason: null, phasesRegime: null },
  })
})

it('a file that is far too large is reported and not read', async () => {
  const own = join(folder, 'large')
  const journal = new Journal(own)
  await journal.keep({ ...comparisonDocument(), id: 'whole' })
  await writeFile(join(own, 'huge.benchmark.json'), '{')
  await truncate(join(own, 'huge.benchmark.json'), 2 ** 40)
  journal.mark('whole', { cell: null, deaths: 1 })
  await truncate(join(own, 'whole.running.json'), 2 ** 40)
  const later = new Journal(own)
  expect((await later.all()).map(({ id }) => id)).toEqual(['whole'])
  expect((await later.damaged())[0].sentence).toContain('cannot be read (it is larger than 256 MiB)')
  expect(await later.lastMark('whole')).toBeNull()
})

it('names the cell at work whole or not at all, for its owner alone', async () => {
  const own = join(folder, 'marks')
  const journal = new Journal(own)
  await journal.keep({ ...comparisonDocument(), id: 'one' })
  const mark = { cell: { dataset: 'uniform', k: 4, contender: 'cpu/fused' }, deaths: 1 }
  journal.mark('one', mark)
  expect(await journal.lastMark('one')).toEqual(mark)
  const path = join(own, 'one.running.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const first = await open(path)
  journal.mark('one', { cell: null, deaths: 0 })
  // Whoever ends in between leaves the one before: it is replaced, and not written over.
  expect(JSON.parse(await first.readFile('utf8'))).toEqual(mark)
  await first.close()
  expect((await readdir(own)).toSorted()).toEqual(['one.benchmark.json', 'one.running.json'])
})
