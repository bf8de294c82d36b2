import { expect, it } from 'vitest'
import fused from '@kernels/variants/fused/variant'
import { makePlan } from './make-plan'
import { planMemory } from './memory-plan'

const mebibyte = 2 ** 20
const shape = { n: 2 ** 20, d: 8, k: 10 }
const cpu = { engine: 'cpu', name: 'cpu', threads: 2, isa: 'avx2' } as const
const plan = { workspaceBytes: 32 * mebibyte }
const own = 100 * mebibyte

it('foretells memory from what the arrays of a run take', () => {
  const outcome = planMemory(shape, cpu, plan, false, 1024 * mebibyte, own)
  // Columns, points, the regime's copy of them, the seeding's transposed one with its distances, and labels.
  const bytes = (100 + 32 + 32 + 32 + 32 + 8 + 8) * mebibyte
  expect(outcome).toMatchObject({ pointsIn: 'memory', ramBytes: bytes, scratchBytes: 0, deviceBytes: null })
})

it('of many points and few centres the seeding keeps no copy, of many centres it does', () => {
  const many = { n: 10 * 2 ** 20, d: 8 }
  const [few, more] = [10, 100].map(
    (k) => planMemory({ ...many, k }, cpu, plan, false, 4096 * mebibyte, own).ramBytes,
  )
  expect(more - few).toBe(320 * mebibyte)
})

it('what is made after the seeding takes the place of what that needed', () => {
  const [plain, late] = [{}, { openBytes: mebibyte }].map(
    (opened) => planMemory(shape, cpu, { ...plan, ...opened }, false, 1024 * mebibyte, own).ramBytes,
  )
  expect(plain - late).toBe(31 * mebibyte)
})

it('passes keep no tiles of many points', () => {
  const workspaceOf = (n: number) => {
    return makePlan(fused, { shape: { n, d: 8, k: 10 }, device: cpu, hints: {} }).workspaceBytes
  }
  expect(workspaceOf(2 ** 22)).toBe(2 ** 22 * 33)
  expect(workspaceOf(2 ** 23)).toBe(2 ** 23)
})

it('says that data beyond memory lie in a scratch file, and why', () => {
  const { pointsIn, reason, ramBytes, scratchBytes } = planMemory(shape, cpu, plan, false, 64 * mebibyte, own)
  expect(pointsIn).toBe('scratch')
  expect(reason).toMatch(/^The points \(32 MiB\) lie in a scratch file in .* only 64 MiB of memory are free/)
  expect(scratchBytes).toBe(136 * mebibyte)
  expect(ramBytes).toBeGreaterThan(own)
})

it('says where they fit nowhere', () => {
  const { pointsIn, reason } = planMemory(shape, cpu, plan, false, mebibyte, own)
  expect(pointsIn).toBeNull()
  expect(reason).toBe('They fit nowhere: 8 MiB of it must lie in memory.')
})
