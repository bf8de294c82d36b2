import { readDeviceFacts } from '@engine/plan/device-facts-file'
import { describe, expect, it } from 'vitest'
import { labellingRegime, regimes } from '@kernels/variants/fused/regimes.webgpu'
import type { PlanHints, WebgpuFacts } from '@shared/plan'
import { bestRegime, withFinding } from '@shared/regimes'

const h200 = (await readDeviceFacts('docs/devices/nvidia-h200-webgpu.json')) as WebgpuFacts
const swiftShader: WebgpuFacts = {
  engine: 'webgpu',
  name: 'SwiftShader (software)',
  software: true,
  workgroupBytes: 32768,
  invocationsPerWorkgroup: 256,
  storageBindingBytes: 2 ** 30,
  lanesAtOnce: 132 * 2048,
  matrixUnits: false,
}

type Shape = readonly [n: number, d: number, k: number]

const ask = (device: WebgpuFacts, [n, d, k]: Shape, hints: PlanHints = {}) => ({
  shape: { n, d, k },
  device,
  hints,
})
const planned = (device: WebgpuFacts, shape: Shape, hints?: PlanHints) =>
  bestRegime(regimes, ask(device, shape, hints)).regime?.name

describe('the plan of fused on an H200 through WebGPU', () => {
  it.each<[Shape, string]>([
    [[100_000, 2, 5], 'staged-centroids'],
    [[999_999, 2, 10], 'staged-centroids'],
    [[1_000_000, 2, 10], 'plane-cells'],
    [[10_000_000, 2, 50], 'plane-cells'],
    [[100_000_000, 2, 10], 'plane-cells'],
    [[4_000_000, 2, 200], 'plane-cells'],
    [[1_000_000, 2, 400], 'plane-boxes'],
    [[50_000, 2, 512], 'plane-boxes'],
    [[544, 2, 17], 'plane-boxes'],
    [[543, 2, 17], 'staged-points'],
    [[2048, 2, 500], 'staged-points'],
    [[200_000, 2, 500], 'plane-boxes'],
    [[200_000, 2, 1024], 'staged-centroids'],
    [[4_000_000, 8, 200], 'neighbour-boxes'],
    [[2 ** 17, 3, 24], 'neighbour-boxes'],
    [[2 ** 17, 3, 23], 'staged-centroids'],
    [[1_000_000, 1, 50], 'staged-centroids'],
    [[100_000, 8, 100], 'staged-points'],
    [[4_000_000, 12, 300], 'neighbour-boxes'],
    [[4_000_000, 12, 47], 'staged-points'],
    [[1_000_000, 24, 100], 'neighbour-boxes'],
    [[2_000_000, 24, 300], 'matrix-filter'],
    [[1_000_000, 9, 2], 'neighbour-boxes'],
    [[2_000_000, 24, 12], 'neighbour-boxes'],
    [[2_000_000, 24, 13], 'staged-points'],
    [[1_000_000, 33, 3], 'staged-points'],
    [[100_000, 64, 32], 'staged-points'],
    [[20_000, 16, 50], 'staged-points'],
    [[150_000, 64, 256], 'staged-points'],
    [[750_000, 64, 100], 'staged-points'],
    [[187_500, 256, 100], 'matrix-filter'],
    [[1_000_000, 64, 1024], 'matrix-filter'],
    [[8_000_000, 128, 1024], 'matrix-filter'],
    [[300_000, 257, 1024], 'staged-points'],
  ])('%j: %s', (shape, regime) => {
    expect(planned(h200, shape)).toBe(regime)
  })

  it('keeps no order of the points where it would not pay or there is no room', () => {
    expect(planned(h200, [10_000_000, 2, 10], { countsChanges: true })).toBe('staged-centroids')
    expect(planned(h200, [10_000_000, 2, 50], { countsChanges: true })).toBe('staged-centroids')
    expect(planned(h200, [10_000_000, 2, 50], { memoryShort: true })).toBe('staged-centroids')
    expect(planned(h200, [4_000_000, 8, 200], { memoryShort: true })).toBe('staged-centroids')
    expect(labellingRegime(ask(h200, [50_000, 2, 512])).name).toBe('staged-points')
    expect(labellingRegime(ask(h200, [10_000_000, 2, 50])).name).toBe('staged-centroids')
  })

  it('names what is carried out where a probe finds nothing', () => {
    const otherwise = (shape: Shape) => {
      const question = ask(h200, shape)
      const { regime } = bestRegime(regimes, question)
      const probe = regime?.probe?.(question) ?? null
      if (probe === null) return null
      const { regime: other } = bestRegime(regimes, withFinding(question, probe.name, false))
      expect(other?.name).toBe(probe.otherwise)
      return [probe.name, probe.otherwise]
    }
    expect(otherwise([10_000_000, 2, 10])).toEqual(['memory-for-ordered-points', 'staged-centroids'])
    expect(otherwise([1_000_000, 24, 100])).toEqual(['memory-for-ordered-points', 'staged-points'])
    expect(otherwise([1_000_000, 64, 1024])).toEqual(['matrix-units', 'staged-points'])
    expect(otherwise([20_000, 16, 50])).toBeNull()
  })

  it('does without what a device lacks', () => {
    expect(planned({ ...h200, matrixUnits: false }, [1_000_000, 64, 1024])).toBe('staged-points')
    const least = { ...h200, workgroupBytes: 16 * 1024, invocationsPerWorkgroup: 256 }
    expect(planned(least, [1_000_000, 64, 1024])).toBe('staged-points')
    expect(planned(least, [10_000_000, 2, 10])).toBe('staged-centroids')
  })
})

it.each<[Shape, string]>([
  [[100_000, 2, 5], 'staged-centroids'],
  [[10_000_000, 2, 50], 'staged-centroids'],
  [[4_000_000, 8, 200], 'staged-centroids'],
  [[1_000_000, 16, 3], 'feature-sums'],
  [[1_000_000, 16, 100], 'feature-sums'],
  [[1000, 900, 30], 'feature-sums'],
  [[1_000_000, 9, 200], 'feature-sums'],
  [[1_000_000, 64, 1024], 'feature-sums'],
  [[1000, 1000, 30], 'staged-points'],
])('SwiftShader takes the kernels that compile quickly, %j: %s', (shape, regime) => {
  expect(planned(swiftShader, shape)).toBe(regime)
})

it('every regime says in a sentence what it does, why it is chosen or why it cannot run, and what it keeps', () => {
  const shapes: Shape[] = [
    [1_000_000, 2, 10],
    [3000, 2, 2000],
    [100_000, 64, 100],
  ]
  for (const row of regimes) {
    expect(row.summary).toMatch(/^[A-Z].*\.$/)
    for (const shape of shapes) {
      const question = ask(h200, shape)
      const refusal = row.refuses(question)
      expect(refusal ?? 'It can.').toMatch(/^[A-Z].*\.$/)
      if (refusal !== null) continue
      expect(row.chosen(question) ?? 'It is not.').toMatch(/\.$/)
      expect(row.workspaceBytes?.(question)).toBeGreaterThanOrEqual(0)
    }
  }
})

it('one feature is no "1 features" in the reason of a plan', () => {
  const reasonAt = (d: number) => JSON.stringify(bestRegime(regimes, ask(swiftShader, [100, d, 16])))
  expect(reasonAt(1)).toContain('Points of 1 feature fit into registers.')
  expect(reasonAt(2)).toContain('Points of 2 features fit into registers.')
})
