import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runPoints } from '../full-disk/points'

const unbuilt = !existsSync('out/main/cli.js')
if (unbuilt) console.warn('SKIPPED: full disks need the built program (npm run build)')

it.skipIf(unbuilt)(
  'full disks and changing sources cost a sentence, and leave nothing half-written',
  async () => {
    const { faults, counts } = await runPoints(10, 7, () => undefined)
    expect(faults).toEqual([])
    expect(Object.values(counts)).toEqual([2, 2, 2, 2, 2])
  },
)
