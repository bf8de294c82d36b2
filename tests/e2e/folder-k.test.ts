import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

it('headed files of a folder bring their own k into a comparison', async () => {
  const folder = join(lab.folder, 'sweep')
  await mkdir(folder)
  for (const k of [2, 3]) await writeFile(join(folder, `k${k}.txt`), `4\n2\n${k}\n0 0\n0 1\n9 9\n9 8\n`)
  await writeFile(join(folder, 'plain.csv'), 'x,y\n1,2\n3,4\n5,6\n')
  await lab.app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, folder)
  await lab.at('open-benchmark').click()
  await lab.at('bench-add-folder').click()
  await expect
    .poll(() =>
      lab
        .at('bench-cases')
        .locator('input[type=text]')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    )
    .toEqual(['2', '3', ''])
  await lab.picture('folder k')
})
