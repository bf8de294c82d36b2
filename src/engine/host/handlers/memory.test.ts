import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limitNames, memoryLimit } from '@engine/memory'
import { scratchVariable } from '@engine/scratch/scratch-variable'
import { checked, hostSchemas } from '../schemas'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { memoryHandlers } from './memory'

const names = [limitNames.memory, limitNames.deviceMemory, scratchVariable]

beforeEach(() => names.forEach((name) => vi.stubEnv(name, undefined)))
afterEach(() => vi.unstubAllEnvs())

const host = () => memoryHandlers(new HostStore(new Spool(null)))

it('limits hold from then on, and are gone where none is named', async () => {
  const set = host()['host.memory']
  const answer = await set({ memoryLimit: '2G', deviceMemory: '1G', scratchFolder: '/data/scratch' })
  expect(answer).toEqual({ scratchFolder: '/data/scratch', heldFolder: null })
  expect(memoryLimit()).toBe(2 ** 31)
  expect(names.map((name) => process.env[name])).toEqual(['2G', '1G', '/data/scratch'])
  await set({ memoryLimit: '', deviceMemory: '', scratchFolder: '' })
  expect(memoryLimit()).toBeNull()
  expect(names.map((name) => process.env[name])).toEqual([undefined, undefined, undefined])
})

it.each([
  [{ memoryLimit: '12 apples' }, 'a size of at least 256 MiB, such as 512M or 4G'],
  [{ memoryLimit: '100M' }, 'a size of at least 256 MiB, such as 512M or 4G'],
  [{ memoryLimit: '0'.repeat(40) }, '30'],
  [{ deviceMemory: '-1' }, 'a size such as 512M or 4G'],
  [{ scratchFolder: 7 }, 'scratchFolder of host.memory'],
])('%o is refused', (wrong, expected) => {
  const params = { memoryLimit: '', deviceMemory: '', scratchFolder: '', ...wrong }
  expect(() => checked(hostSchemas['host.memory'], 'host.memory', params)).toThrow(expected)
})

it('a run on data that are not loaded has no room to be told', () => {
  const ask = host()['run.memory']
  expect(() => ask({ datasetId: 'none', config: {} as never })).toThrow(/no longer loaded/)
})
