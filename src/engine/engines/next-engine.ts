import { lastResort, successors } from '@shared/device-loss'
import type { EngineId } from '@shared/variant'
import { engines } from '.'
import type { Engine } from './engine'

/** Who takes over from an engine that was lost, of the devices here: no processor dressed up as another. */
export async function nextEngine(
  lost: EngineId,
  table: Readonly<Record<EngineId, Pick<Engine, 'availability' | 'devices'>>> = engines,
): Promise<EngineId> {
  for (const id of successors[lost]) {
    const { available } = await table[id].availability()
    if (available && (await table[id].devices()).some(({ software }) => !software)) return id
  }
  return lastResort
}
