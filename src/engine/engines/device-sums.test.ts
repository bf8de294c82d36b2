import { describe, expect, it } from 'vitest'
import { carriedOut, type RunPlan } from '../plan/plan-run'
import { deviceSums, reasonWithSums } from './device-sums'

describe('who adds up the sums of several devices', () => {
  it('is copies, whether NCCL is there or not', () => {
    expect(deviceSums('', false, undefined)).toBe('peer-copies')
    expect(deviceSums('2.27.3', false, '')).toBe('peer-copies')
    expect(deviceSums('2.27.3', true, 'peer-copies')).toBe('peer-copies')
  })

  it('is NCCL where it is asked for, and never another in its place', () => {
    expect(deviceSums('2.27.3', false, 'nccl')).toBe('nccl')
    expect(() => deviceSums('', false, 'nccl')).toThrow(
      'NCCL was not found: install it, put the folder of libnccl.so.2 into LD_LIBRARY_PATH, or leave CENTROID_LAB_DEVICE_SUMS empty.',
    )
    expect(() => deviceSums('2.27.3', true, 'nccl')).toThrow(
      'NCCL adds up the sums of GPUs that hold all rows: leave cpu out of the devices, or CENTROID_LAB_DEVICE_SUMS empty.',
    )
    expect(() => deviceSums('2.27.3', false, 'gossip')).toThrow(
      "Expected peer-copies or nccl for CENTROID_LAB_DEVICE_SUMS but received 'gossip'",
    )
  })

  it('stands behind the reason of the plan', () => {
    expect(reasonWithSums('Why.', undefined)).toBe('Why.')
    const planned = { plan: { regime: 'tiled', reason: 'Why.' }, forced: 'tiled' } as unknown as RunPlan
    const sharing = { exchange: 'nccl', devices: 2 }
    expect(carriedOut(planned, { regime: 'tiled', sharing })?.reason).toBe(
      'Why. NCCL adds up the sums of 2 devices.',
    )
    expect(reasonWithSums('Why.', { exchange: 'nccl', devices: 2 })).toBe(
      'Why. NCCL adds up the sums of 2 devices.',
    )
    expect(reasonWithSums('Why.', { exchange: 'peer-copies', devices: 3 })).toBe(
      'Why. 3 devices add up their sums by copies to each other.',
    )
    expect(reasonWithSums('Why.', { exchange: '', devices: 2 })).toBe(
      'Why. The host adds up the sums of 2 devices.',
    )
  })
})
