import { limitNames } from '@engine/memory'
import { planPoints } from '@engine/plan/plan-points'
import { openedScratchFolder, scratchFolder } from '@engine/scratch/scratch-file'
import { scratchVariable } from '@engine/scratch/scratch-variable'
import type { HostHandlers } from '../protocol'
import type { HostStore } from '../store'

/** What may be taken of the machine, and what a run would take. */
export function memoryHandlers(store: HostStore): Pick<HostHandlers, 'host.memory' | 'run.memory'> {
  return {
    'host.memory': ({ memoryLimit, deviceMemory, scratchFolder: folder }) => {
      setOrClear(limitNames.memory, memoryLimit)
      setOrClear(limitNames.deviceMemory, deviceMemory)
      setOrClear(scratchVariable, folder)
      const [next, held] = [scratchFolder(), openedScratchFolder()]
      return { scratchFolder: next, heldFolder: held === next ? null : held }
    },
    'run.memory': ({ datasetId, config }) => planPoints(store.dataset(datasetId), config),
  }
}

function setOrClear(name: string, text: string): void {
  if (text === '') delete process.env[name]
  else process.env[name] = text
}
