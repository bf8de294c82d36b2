import { describe, expect, it } from 'vitest'
import { variants } from '@kernels/variants'
import { hybridVariants, passesOf } from '.'
import { grid } from './variant-passes'

const smallestWorkgroupBytes = 16 * 1024
const mostBuffers = 8

it('there are passes for every variant declared for WebGPU, and for no other', () => {
  const declared = variants.filter(({ engines }) => engines.webgpu !== undefined).map(({ id }) => id)
  expect(Object.keys(passesOf).sort()).toEqual(declared.sort())
})

it('the variants that need the processor are those that update there', () => {
  const updatedThere = Object.entries(passesOf)
    .filter(([, passes]) => passes({ n: 9, k: 3, d: 2, workgroupBytes: smallestWorkgroupBytes }).hostUpdate)
    .map(([id]) => id)
  expect(new Set(updatedThere)).toEqual(hybridVariants)
})

describe.each(Object.entries(passesOf))('passes of %s', (_, passesFor) => {
  it.each([
    [1, 1],
    [5, 2],
    [1025, 8],
    [16, 300],
    [5000, 100],
  ])('name kernels and scratch that exist, within the limits of every device (k %i, d %i)', (k, d) => {
    const passes = passesFor({ n: 1_000_003, k, d, workgroupBytes: smallestWorkgroupBytes })
    const all = [...(passes.prepare ?? []), ...passes.assign, ...passes.update]
    expect(passes.assign.length).toBeGreaterThan(0)
    for (const { kernel, scratch = [], groups } of all) {
      expect(passes.kernels[kernel].bindings.length + scratch.length).toBeLessThanOrEqual(mostBuffers)
      for (const name of scratch) expect(passes.scratch).toHaveProperty(name)
      for (const count of [1, 256, 1_000_003]) {
        const [x, y] = groups({ count, k, d })
        expect(Math.min(x, y)).toBeGreaterThan(0)
        expect(Math.max(x, y)).toBeLessThanOrEqual(65535)
      }
    }
    expect(new Set(all.map(({ kernel }) => kernel))).toEqual(new Set(Object.keys(passes.kernels)))
  })
})

it('a grid covers any number of workgroups within 65 535 a dimension', () => {
  for (const groups of [1, 65535, 65536, 390625, 31_250_000]) {
    const [x, y] = grid(groups)
    expect(x * y).toBeGreaterThanOrEqual(groups)
    expect(Math.max(x, y)).toBeLessThanOrEqual(65535)
  }
})
