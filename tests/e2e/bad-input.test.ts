import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await mkdir(join(lab.folder, 'bad'), { recursive: true })
})
afterAll(() => lab.close())

const bad: readonly [string, string | Uint8Array, RegExp][] = [
  ['picture.csv', Buffer.from('89504e470d0a1a0a00000000', 'hex'), /PNG/],
  ['archive.csv', Buffer.from('504b030414000000', 'hex'), /ZIP/],
  ['table.xlsx', Buffer.from('504b030414000600', 'hex'), /CSV/],
  ['empty.csv', '', /empty/],
  ['header.csv', 'a,b\n', /no rows/],
  ['words.csv', 'a,b\nx,y\nz,w\n', /numbers/],
  ['nul.csv', 'a,b\n1,2\n3,\0\n5,6\n', /NUL/],
  ['ragged.csv', 'a,b\n1\n2\n3,4\n', /cells/],
]

describe('bad input in the window', () => {
  it.each(bad)('%s gets one sentence', async (name, content, sentence) => {
    const path = join(lab.folder, 'bad', name)
    await writeFile(path, content)
    await lab.drop(path)
    const message = lab.at('error-message').first()
    // What is doubtful at first sight waits in the import preview.
    const load = lab.at('import-load')
    await message.filter({ hasText: name }).or(load).waitFor()
    if (await load.isVisible()) await load.click()
    await expect.poll(() => message.textContent(), { timeout: 10_000 }).toContain(name)
    expect(await message.textContent()).toMatch(sentence)
    expect(await message.textContent()).not.toMatch(/\bat .*:\d+:\d+|Error:/)
  })

  it('a folder gets one sentence too', async () => {
    await lab.drop(join(lab.folder, 'bad'))
    const message = lab.at('error-message').first()
    await expect.poll(() => message.textContent(), { timeout: 10_000 }).toMatch(/\bbad\b.* folder/)
    await lab.picture('folder')
  })

  it('leaves the window as usable as before', async () => {
    await lab.picture('refused')
    await lab.openExample('wine.csv')
    await lab.at('run').click()
    // The first run of a machine calibrates the automatic choice before it starts.
    const state = () => lab.at('progress').getAttribute('data-state')
    await expect.poll(state, { timeout: 20_000 }).toBe('done')
  })
})
