import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { granted } from './bridge'
import { launch, type Lab } from './harness'

// The smallest limit leaves less than half of this to the data of a host.
const [rows, columns] = [2_000_000, 8]

let home: string
let lab: Lab
let scratch: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid home '))
  scratch = join(home, 'scratch files')
  await mkdir(scratch)
  await writeFile(join(home, 'points.npy'), largeArray())
  lab = await launch([], home)
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** float32 in two groups, as NumPy writes them. */
function largeArray(): Uint8Array {
  const header =
    `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117) + '\n'
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}`, 'latin1')
  const values = Float32Array.from({ length: rows * columns }, (_, i) => {
    return (Math.floor(i / columns) % 2) * 100 + ((i * 7919) % 1013) / 1013
  })
  return Buffer.concat([head, new Uint8Array(values.buffer)])
}

async function openAdvanced(): Promise<void> {
  if (!(await lab.at('memory-limit').isVisible())) await lab.at('advanced').click()
  await lab.at('memory-limit').scrollIntoViewIfNeeded()
}

async function choose(folder: string | null): Promise<void> {
  await lab.app.evaluate(({ dialog }, path) => {
    const answer = path === null ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] }
    dialog.showOpenDialog = () => Promise.resolve(answer)
  }, folder)
  await lab.at('scratch-folder').click()
}

const planText = () => lab.at('memory-plan').textContent()

it('without a limit the points of a small table lie in memory, and the panel says so', async () => {
  await lab.openExample('iris.csv')
  await openAdvanced()
  await expect.poll(planText).toMatch(/^\s*The points lie in memory: .* of memory are free\./)
  await lab.picture('memory-light-1280')
})

it('what is no size is told in a sentence and changes nothing', async () => {
  await lab.at('memory-limit').fill('much')
  await expect.poll(() => lab.page.textContent('#memory-limit-error')).toContain("The memory limit is 'much'")
  await lab.at('memory-limit').scrollIntoViewIfNeeded()
  await lab.picture('memory-wrong')
  expect((await granted(lab, 'app.memory', {})).memoryLimit).toBe('')
})

it('a folder is chosen, a closed dialog leaves it', async () => {
  await choose(scratch)
  await expect.poll(() => lab.at('scratch-path').textContent()).toBe(scratch)
  await choose(null)
  expect(await lab.at('scratch-path').textContent()).toBe(scratch)
})

it('a table that does not fit under the limit is loaded and clustered in a scratch file', async () => {
  await lab.at('memory-limit').fill('256M')
  await expect.poll(planText).toMatch(/within the memory limit/)
  await lab.drop(join(home, 'points.npy'))
  await lab.at('dataset-name').filter({ hasText: 'points.npy' }).waitFor({ timeout: 60_000 })
  await openAdvanced()
  await expect
    .poll(planText)
    .toMatch(/^\s*The points \(.*\) lie in a scratch file in .*scratch files, because only/)
  await lab.page.getByText('Fetching the columns').waitFor({ state: 'hidden' })
  await lab.page.getByTestId('memory-plan').scrollIntoViewIfNeeded()
  await lab.picture('memory-scratch-light')
  await lab.page.emulateMedia({ colorScheme: 'dark' })
  await lab.picture('memory-scratch-dark')
  await lab.smallest(async () => {
    await lab.page.getByTestId('memory-plan').scrollIntoViewIfNeeded()
    await lab.picture('memory-scratch-900')
  })
  await lab.page.emulateMedia({ colorScheme: 'light' })
  await lab.at('engine').selectOption('cpu')
  await lab.at('max-iterations').fill('3')
  await lab.at('run').click()
  await lab.at('run').filter({ hasText: 'Run' }).waitFor()
  await expect
    .poll(() => lab.page.textContent('body'), { timeout: 60_000 })
    .toMatch(/The points \(.*\) lie in a scratch file/)
  expect(await lab.at('held-folder').count()).toBe(0)
})

it('another folder holds from the next start, which the panel says', async () => {
  await lab.at('usual-scratch').click()
  await expect.poll(() => lab.at('held-folder').textContent()).toContain(scratch)
  expect(await planText()).toContain(scratch)
  await lab.picture('memory-held')
})

it('after a restart the limit is as it was left', async () => {
  await lab.close()
  lab = await launch([], home)
  await lab.openExample('iris.csv')
  await openAdvanced()
  await expect.poll(() => lab.at('memory-limit').inputValue()).toBe('256M')
  await expect.poll(planText).toMatch(/within the memory limit/)
  expect(await lab.at('usual-scratch').count()).toBe(0)
})
