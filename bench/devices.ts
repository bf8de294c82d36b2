import type { DeviceFloors } from '@engine/engines/engine'
import type { Contender } from '@tests/parity/contenders'

/**
 * Floors of every device that takes part, measured now. A device whose engine cannot tell has those of a device of the same name in
 * another engine: it is the same card.
 */
export async function floorsOf(
  contenders: readonly Contender[],
): Promise<ReadonlyMap<string, DeviceFloors | null>> {
  const measured = new Map<string, DeviceFloors | null>()
  for (const { engine, device } of contenders) {
    if (!measured.has(device.id)) measured.set(device.id, (await engine.floors?.(device.id)) ?? null)
  }
  const names = new Map(contenders.map(({ device }) => [device.id, device.name]))
  const alike = (id: string) =>
    [...measured].find(([other, found]) => found !== null && isSameCard(names.get(id), names.get(other)))
  return new Map([...measured].map(([id, found]) => [id, found ?? alike(id)?.[1] ?? null]))
}

function isSameCard(one = '', other = ''): boolean {
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one))
}
