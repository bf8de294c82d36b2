/**
 * Memory of all processes of the window together, shared pages in shares, while a table is read, drawn, clustered and exported.
 * `CENTROID_LAB_MEMORY_ROWS=10000000` measures as many rows and prints what each process had at the peak of each step.
 */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { family, memoryOf, nameOf } from '../../scripts/lib/process-family.mjs'
import { launch, type Lab } from './harness'

const rows = Number(process.env['CENTROID_LAB_MEMORY_ROWS'] ?? 1_000_000)
const features = 8
const groups = 10
const gibibyte = 2 ** 30
/** The points as float32. */
const dataset = rows * features * 4
const sampledMs = 50
const stepMs = 300_000

interface Sample {
  readonly bytes: number
  readonly each: ReadonlyMap<string, number>
}

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

async function blobs(): Promise<string> {
  const path = join(lab.folder, 'blobs.csv')
  let state = 1
  const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647
  const centres = Array.from({ length: groups * features }, () => 80 * next())
  const file = await open(path, 'w')
  await file.write(`${Array.from({ length: features }, (_, j) => `x${j}`).join()}\n`)
  for (let first = 0; first < rows; first += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, rows - first) }, (_, i) =>
      Array.from({ length: features }, (__, j) => {
        const centre = centres[(i % groups) * features + j] ?? 0
        return (centre + 8 * (next() + next() + next())).toFixed(4)
      }).join(),
    )
    await file.write(`${lines.join('\n')}\n`)
  }
  await file.close()
  return path
}

function sample(): Sample {
  const each = new Map<string, number>()
  for (const pid of family(lab.app.process().pid ?? 0)) {
    const name = nameOf(pid)
    each.set(name, (each.get(name) ?? 0) + memoryOf(pid))
  }
  return { bytes: [...each.values()].reduce((sum, bytes) => sum + bytes, 0), each }
}

/** The most that all processes had at once while `work` went on. */
async function peakOf(name: string, work: () => Promise<unknown>): Promise<number> {
  let peak = sample()
  const timer = setInterval(() => {
    const now = sample()
    if (now.bytes > peak.bytes) peak = now
  }, sampledMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)
  const parts = [...peak.each].map(([process, bytes]) => `${process} ${megabytes(bytes)}`)
  process.stdout.write(`${name}: ${megabytes(peak.bytes)} MB at most (${parts.join(', ')})\n`)
  return peak.bytes
}

const drawn = (attribute: string) =>
  lab.page.locator(`[data-testid=scatter][${attribute}]`).waitFor({ timeout: stepMs })

it(`${rows} x ${features} take at most the points and 1 GiB`, { timeout: 4 * stepMs }, async () => {
  const path = await blobs()
  const labels = join(lab.folder, 'labels.csv')
  const peaks = [
    await peakOf('nothing open', () => lab.page.waitForTimeout(1000)),
    await peakOf('read and drawn', async () => {
      await lab.drop(path)
      await drawn(`data-points-drawn="${rows}"`)
      await lab.page.waitForTimeout(1000)
    }),
    await peakOf('clustered', async () => {
      await lab.at('k').fill(String(groups))
      await lab.at('run').click()
      await drawn(`data-centroids="${groups}"`)
      await lab.page.waitForTimeout(1000)
    }),
    await peakOf('exported', async () => {
      await lab.saveAs(labels)
      await lab.at('export-menu').click()
      await lab.at('export-labels').click()
      await expect
        .poll(
          () =>
            stat(labels).then(
              ({ size }) => size,
              () => 0,
            ),
          { timeout: stepMs },
        )
        .toBeGreaterThan(rows)
      await lab.page.waitForTimeout(1000)
    }),
  ]
  expect(Math.max(...peaks)).toBeLessThan(dataset + gibibyte)
})
