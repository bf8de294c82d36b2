import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { kindCount, runPoints } from '../full-disk/points'

const unbuilt = !existsSync('out/main/cli.js')
if (unbuilt) console.warn('SKIPPED: full disks need the built program (npm run build)')

it.skipIf(unbuilt)(
  'full disks, changing sources and kills cost a sentence; nothing half-written stays, nothing is lost',
  async () => {
    const { faults, counts } = await runPoints(kindCount, 7, () => undefined)
    expect(faults).toEqual([])
    expect(Object.values(counts)).toEqual(Array.from({ length: kindCount }, () => 1))
  },
)
