import { afterEach, expect, it, vi } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { defaultRunConfig } from '@shared/run-config'
import { limitNames } from '../memory'
import { scratchVariable } from '../scratch/scratch-variable'
import { planPoints } from './plan-points'

const mebibyte = 2 ** 20

afterEach(() => vi.unstubAllEnvs())

async function planned(free: number) {
  const dataset = await openDataset('examples/iris.csv', {}, () => undefined, new AbortController().signal)
  // As if it had 10 million rows.
  return planPoints({ ...dataset, rows: 10_000_000 }, defaultRunConfig, free)
}

it('points that fit lie in memory, and what they take is told beside what is free', async () => {
  expect(await planned(500 * mebibyte)).toEqual({
    pointsIn: 'memory',
    sentence:
      "The points lie in memory: with the engine's copy and labels they take at most 382 MiB, and 500 MiB of memory are free.",
  })
  vi.stubEnv(limitNames.memory, '1G')
  expect((await planned(500 * mebibyte)).sentence).toMatch(
    '500 MiB of memory are free within the memory limit.',
  )
})

it('points that do not fit lie in a scratch file, or nowhere, and the sentence says why', async () => {
  vi.stubEnv(scratchVariable, process.cwd())
  const scratch = await planned(100 * mebibyte)
  expect(scratch.pointsIn).toBe('scratch')
  expect(scratch.sentence).toMatch(
    /^The points \(153 MiB\) lie in a scratch file in .*, because only 100 MiB of memory are free/,
  )
  vi.stubEnv(scratchVariable, '/dev/null/nowhere')
  expect(await planned(100 * mebibyte)).toEqual({
    pointsIn: null,
    sentence:
      'The points (382 MiB) fit nowhere: 100 MiB of memory are free, and the scratch folder /dev/null/nowhere cannot be used. Choose fewer features, or close other programs.',
  })
})
