import type { EngineId } from '@shared/variant'
import { engines } from '.'
import type { Engine } from './engine'

const order: readonly EngineId[] = ['cuda', 'webgpu', 'cpu']

/** The best engine after one that was lost: of the devices here, but no processor dressed up as another. */
export async function nextEngine(
  lost: EngineId,
  table: Readonly<Record<EngineId, Pick<Engine, 'availability' | 'devices'>>> = engines,
): Promise<EngineId> {
  for (const id of order.slice(order.indexOf(lost) + 1)) {
    const { available } = await table[id].availability()
    if (available && (await table[id].devices()).some(({ software }) => !software)) return id
  }
  return 'cpu'
}
