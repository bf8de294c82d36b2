import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { defaultGeneratorSpec } from '@shared/generator'
import { defaultRunConfig } from '@shared/run-config'
import { engines } from '../engines'
import { measure, suiteOf, dependencies, type Manner } from './testing/fakes'
import { withOwnCache } from './testing/cache-folder'
import { VariantContenderRunner } from './variant-contender-runner'

withOwnCache()

const processor = await engines.cpu.availability()

describe('what is timed', () => {
  it(
    'shows a sleep in the phase it was in, and as other where no phase covers it',
    measuresTime,
    async () => {
      const pause = 40
      const sleeping = (part: 'assignMs' | 'updateMs' | null): Manner => ({
        onAdvance: async (done) => {
          const began = performance.now()
          await delay(pause)
          const slept = performance.now() - began
          // Where no part is named, the engine tells of a part that took no time.
          return done.map((stats, at) => ({
            ...stats,
            ...(part === null ? { assignMs: 0, totalMs: slept } : {}),
            ...(part !== null && at === 0 ? { [part]: slept, totalMs: slept } : {}),
          }))
        },
      })
      const slowRead: Manner = {
        onRead: async (read) => {
          await delay(pause)
          return read
        },
      }
      const slowTransfer: Manner = {
        onRead: async (read) => {
          const began = performance.now()
          await delay(pause)
          return { ...read, downloadMs: performance.now() - began }
        },
      }
      const manners = {
        assign: sleeping('assignMs'),
        update: sleeping('updateMs'),
        slowRead,
        slowTransfer,
        hidden: sleeping(null),
      }
      const { rows } = await measure(manners, { timing: 'phases', repeats: 1, warmup: 0 })
      expect(rows['assign']?.phases?.assignMs).toBeGreaterThan(pause - 5)
      expect(rows['assign']?.phases?.updateMs).toBeNull()
      expect(rows['update']?.phases?.updateMs).toBeGreaterThan(pause - 5)
      expect(rows['slowRead']?.phases?.iterateMs).toBeGreaterThan(pause - 5)
      expect(rows['slowRead']?.phases?.downloadMs).toBe(0)
      expect(rows['slowTransfer']?.phases?.downloadMs).toBeGreaterThan(pause - 5)
      expect(rows['slowTransfer']?.phases?.iterateMs).toBeLessThan(pause / 2)
      expect(rows['hidden']?.phases?.otherMs).toBeGreaterThan(pause - 5)
      expect(rows['slowRead']?.phases?.otherMs).toBeLessThan(pause / 2)
    },
  )

  it('is without what is compiled or opened, in the first run and in every other', measuresTime, async () => {
    let opened = 0
    const compiling: Manner = { onOpen: () => delay(opened++ === 0 ? 400 : 60) }
    const { rows } = await measure({ compiling }, { warmup: 0, repeats: 3 })
    expect(Math.max(...(rows['compiling']?.totalsMs ?? [Infinity]))).toBeLessThan(50)
  })

  it.runIf(processor.available)(
    'leaves at most 5 % to other at a million points on the processor',
    measuresTime,
    async () => {
      const spec = { ...defaultGeneratorSpec, n: 1_000_000 }
      const { datasets } = dependencies(engines.cpu)
      const { signal } = new AbortController()
      const config = { ...suiteOf(['fused']).config, maxIterations: 20 }
      const data = await datasets.data({ kind: 'generated', spec, name: 'million' }, config, signal)
      const [device] = await engines.cpu.devices()
      if (device === undefined) throw new Error('Expected a device')
      const run = { engine: engines.cpu, device, variant: 'fused' }
      const cell = { dataset: '', k: 10, contender: 'cpu/fused', n: 1e6, d: 2, engine: 'cpu' as const }
      const unknown = { device: null, deviceName: null, predictedMs: null, memoryBytes: null, skipped: null }
      const start = new Float32Array()
      const contenderRunner = new VariantContenderRunner({ ...cell, ...unknown, variant: 'fused' }, run, {
        data,
        k: 10,
        start,
        config: { ...defaultRunConfig, ...config },
      })
      const shares: number[] = []
      for (let repeat = 0; repeat < 4; repeat++) {
        const { phases } = await contenderRunner.run('phases', signal)
        shares.push((phases?.otherMs ?? Infinity) / (phases?.totalMs ?? 1))
      }
      // The best: another program may take the processor away between two phases.
      expect(Math.min(...shares)).toBeLessThan(0.05)
    },
  )
})
