import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defaultGeneratorSpec } from '@shared/generator'
import { defaultRunConfig } from '@shared/run-config'
import type { Suite } from '@shared/benchmark/suite'
import type { Driver } from './driver'

export const works = ['load', 'run', 'export', 'benchmark'] as const
export type Work = (typeof works)[number]

/** Enough that loading, clustering and exporting are each met in the middle. */
export const rows = 40_000
export const data = 'kills.csv'
export const exported = 'labels.csv'

/** A table of blobs, the same each time. */
export function table(): string {
  const lines = ['a,b,c,d,e,f']
  let state = 1
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  for (let row = 0; row < rows; row++) {
    const centre = row % 40
    lines.push(Array.from({ length: 6 }, (_, i) => (((centre * (i + 3)) % 17) + next()).toFixed(5)).join(','))
  }
  return `${lines.join('\n')}\n`
}

const suite: Suite = {
  format: 1,
  name: 'kills',
  description: '',
  scale: 1,
  cases: [
    {
      dataset: { kind: 'generated', spec: { ...defaultGeneratorSpec, n: 20_000 }, name: 'blobs' },
      k: [8, 16],
    },
  ],
  contenders: [{ kind: 'variant', engine: 'cpu', variant: 'sequential', device: null }],
  config: { ...defaultRunConfig, stop: 'none', maxIterations: 20 },
  timing: 'total',
  warmup: 1,
  repeats: 3,
  baseline: 'sequential/cpu',
  publication: null,
}

/** Begins a piece of work; does not wait for its end. */
export async function begin(work: Work, driver: Driver, home: string): Promise<void> {
  if (work === 'load') await driver.openFile(join(home, data))
  if (work === 'run') await beginRun(driver)
  if (work === 'export') await beginExport(driver, home)
  if (work === 'benchmark') await driver.ask('app.bench-start', { suite })
}

async function beginRun(driver: Driver): Promise<void> {
  // One that was cut off is resumed.
  if (!(await driver.click('run-go-on'))) await driver.menu('run')
}

async function beginExport(driver: Driver, home: string): Promise<void> {
  await driver.lab.saveAs(join(home, exported))
  await driver.menu('export-labels')
}

/** A comparison that outlived what was killed would stand in the way of the next run. */
export async function endComparison(driver: Driver): Promise<void> {
  const kept = await driver.ask('bench.list', {})
  for (const { id, state } of kept?.comparisons ?? [])
    if (state === 'running' || state === 'paused') await driver.ask('bench.cancel', { benchId: id })
}

export function wasExported(home: string): boolean {
  return existsSync(join(home, exported))
}
