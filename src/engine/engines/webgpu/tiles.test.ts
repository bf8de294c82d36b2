import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Points } from '../engine'
import { adapterOf } from './adapters'
import { Dispatcher } from './dispatcher'
import { Executor } from './executor'
import { openDevice, type GpuDevice } from './gpu-device'
import { compilePrograms } from './programs'
import { bindingLimit, createResources, planResources } from './resources'
import type { SlotResult } from './runner'
import { globalAtomics } from '@kernels/variants/global-atomics/global-atomics.webgpu'
import { irregularReduction } from '@kernels/variants/irregular-reduction/irregular-reduction.webgpu'
import { partialSums } from '@kernels/variants/partial-sums/partial-sums.webgpu'
import type { VariantPasses } from '@kernels/common/webgpu/passes'

const [n, k, d] = [1500, 23, 6]
const request = { n, k, d, workgroupBytes: 16 * 1024 }
const points = pointsOf(n, d)
let gpu: GpuDevice
let expected: SlotResult

beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
  expected = await iterate(globalAtomics(request))
})
afterAll(() => gpu.destroy())

/** Irregular in size: many points in few clusters. */
function pointsOf(n: number, d: number): Points {
  let state = 7
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648
  const x = Float32Array.from({ length: n * d }, () => next() ** 4 * 2 - 1)
  return { x, n, d, maxAbs: new Float32Array(d).fill(1) }
}

async function iterate(passes: VariantPasses): Promise<SlotResult> {
  const plan = planResources(points, k, bindingLimit(gpu.device), passes)
  const programs = await compilePrograms(gpu, passes)
  const compiled = { variant: 'tested', passes, programs }
  const resources = await createResources(gpu, points, plan, compiled, false)
  const on = new Dispatcher(gpu, resources, programs.rounds, { k, d })
  await on.prepare()
  const executor = new Executor(on, n, { sums: true, stamps: false, changes: false, apart: false })
  await executor.setCentroids(points.x.slice(0, k * d))
  return (await executor.iterate(1)).slots[0]
}

/** Sums are integers on the device: every way to add them up must give the same. */
async function expectSame(passes: VariantPasses): Promise<void> {
  const { counts, sums, centroids } = await iterate(passes)
  expect([...counts]).toEqual([...expected.counts])
  expect([...sums]).toEqual([...expected.sums])
  expect([...centroids]).toEqual([...expected.centroids])
}

describe('irregular-reduction gives the sums of global-atomics', () => {
  it('one group a block, all clusters at once', () => expectSame(irregularReduction(request)))

  it.each([1, 5, 23])('clusters gathered %i at a time', (tile) => {
    const workgroupBytes = 64 + 4 * 8 * 256 + 8 * tile
    const passes = irregularReduction({ ...request, workgroupBytes })
    expect(passes.kernels.assign_and_reduce.constants?.tile).toBe(tile)
    return expectSame(passes)
  })

  it.each([1, 2, 4])('%i groups for 6 blocks of points', (groups) => {
    const passes = irregularReduction(request, groups * 8 * k * d)
    expect(passes.kernels.assign_and_reduce.constants?.max_groups).toBe(groups)
    return expectSame(passes)
  })
})

describe('partial-sums gives the sums of global-atomics', () => {
  it('in one round', () => expectSame(partialSums(request)))

  it.each([1, 7, 33, 511, 513, 1000, 1501, 65_536])('%i workers', async (workers) => {
    await expectSame(partialSums({ ...request, workers }))
    // Sums of a cluster in different rounds.
    await expectSame(partialSums({ ...request, workers }, 10))
  })

  it.each([1, 10, 160])('%i sums a round', (tile) => {
    const passes = partialSums(request, tile)
    expect(passes.update).toHaveLength(2 * Math.ceil((k * (d + 1)) / tile))
    return expectSame(passes)
  })
})
