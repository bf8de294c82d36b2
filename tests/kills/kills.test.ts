import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hangMs } from './driver'
import { killAgainAndAgain, targets } from './loops'
import { data, table } from './work'
import { measuresTime } from '@shared/testing/measures-time'

/** `npm run test:kills` says how often; the suite of every change kills a few. The sixth death of the GPU process once ended the program. */
const usual = { host: 1, main: 2, renderer: 2, gpu: 7 } as const
const seed = Number(process.env['CENTROID_LAB_KILLS_SEED'] ?? 1)
const patienceOfAKillMs = 60_000

function countOf(target: (typeof targets)[number]): number {
  const given = process.env['CENTROID_LAB_KILLS']
  if (given === undefined) return usual[target]
  return Number(new RegExp(`${target}=(\\d+)`).exec(given)?.[1] ?? 0)
}

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid kills '))
  await writeFile(join(home, data), table())
})
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

for (const target of targets) {
  const kills = countOf(target)
  it.skipIf(kills === 0)(
    `${kills} kills of ${target} cost no result and no more than a moment`,
    // Of some hundred kills of the GPU process one leaves Chromium without a frame for longer than that.
    { ...measuresTime, timeout: 120_000 + kills * patienceOfAKillMs },
    async () => {
      const began = performance.now()
      const { answersMs, finishedRuns } = await killAgainAndAgain(target, { home, kills, seed })
      const at = (share: number) => Math.round(answersMs[Math.ceil(share * answersMs.length) - 1])
      console.warn(
        `${target}: ${kills} kills in ${Math.round((performance.now() - began) / 1000)} s, ${finishedRuns} finished runs kept; ` +
          `the window answered after ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (longest)`,
      )
      expect(answersMs).toHaveLength(kills)
      expect(at(1)).toBeLessThan(hangMs)
    },
  )
}
