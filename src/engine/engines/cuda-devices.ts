import { LabError } from '@shared/errors'
import type { Device } from '@shared/variant'
import { loadCudaAddon } from './native'

/** What the native code calls the processor among the devices of a split. */
const processorIndex = -1
const processorId = 'cpu'

/** The cards there are. */
export function cudaDevices(): Device[] {
  const found = loadCudaAddon().addon?.devices().devices ?? []
  return found.map(({ name, memoryBytes }, index) => ({
    id: `cuda:${index}`,
    name,
    memoryBytes,
    software: false,
  }))
}

/**
 * Several of them as one device, whose rows they share: "all", or ids with commas, of which one may be "cpu".
 * @returns null where the words name no such group
 */
export function cudaGroup(words: string, there: readonly Device[] = cudaDevices()): Device | null {
  const ids = words === 'all' ? there.map(({ id }) => id) : words.split(',').map((id) => id.trim())
  const cards = ids.filter((id) => id !== processorId)
  if (cards.length === 0 || new Set(ids).size < ids.length) return null
  const members = cards.map((id) => there.find((device) => device.id === id))
  if (!members.every((device) => device !== undefined)) return null
  const [first] = members
  if (ids.length === 1) return first ?? null
  const memoryBytes = members.reduce((sum, device) => sum + (device.memoryBytes ?? 0), 0)
  const names = [...members.map(({ name }) => name), ...(cards.length < ids.length ? ['processor'] : [])]
  return { id: ids.join(','), name: counted(names), memoryBytes, software: false, members: ids }
}

/** A name once, with how often it is there. */
function counted(names: readonly string[]): string {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name)).join(', ')
}

/**
 * Numbers of the devices that an id names, in its order.
 * @throws LabError `engine-missing` with those that are there
 */
export function deviceIndices(id: string | null): readonly number[] {
  if (id === null) return [0]
  const there = cudaDevices()
  const group = cudaGroup(id, there)
  if (group === null) throw noDevice(id, there)
  const ids = group.members ?? [group.id]
  return ids.map((one) => (one === processorId ? processorIndex : there.findIndex((card) => card.id === one)))
}

/** The number of the card that does what a group does not share; below 0 where there is none. */
export function firstCard(id: string): number {
  const there = cudaDevices()
  const group = cudaGroup(id, there)
  const ids = group?.members ?? [group?.id]
  return there.findIndex(({ id: card }) => ids.includes(card))
}

function noDevice(id: string, there: readonly Device[]): LabError {
  const named = there.map((card) => `${card.id} (${card.name})`)
  const several = there.length > 1 ? ', several of them with commas, or all' : ''
  const message = `The CUDA engine has no device ${id}: choose one of ${named.join(', ')}${several}.`
  return new LabError('engine-missing', 'cuda.device', message)
}
