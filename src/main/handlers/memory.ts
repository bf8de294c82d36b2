import type { MemoryState } from '@shared/memory-limits'
import { chooseFolder } from '../dialogs'
import { given } from '../host-environment'
import type { MemoryChoice } from '../settings'
import type { HandlersOf, HandlerContext } from './context'
import { t } from '@shared/locale/translate'

type MemoryChannel = 'app.memory' | 'app.set-memory' | 'app.choose-scratch'

/** What may be taken of the machine: kept with the settings, held to by the engine host. */
export function memoryHandlers({ engine, settings, window }: HandlerContext): HandlersOf<MemoryChannel> {
  const held = async (memory: MemoryChoice): Promise<MemoryState> => {
    const { memoryLimit, deviceMemory } = memory
    const folders = await engine.request('host.memory', given(process.env, memory))
    return { memoryLimit, deviceMemory, isChosen: memory.scratchFolder !== '', ...folders }
  }
  const set = (changes: Partial<MemoryChoice>) => {
    settings.saveMemory({ ...settings.memory, ...changes })
    return held(settings.memory)
  }
  return {
    'app.memory': () => held(settings.memory),
    'app.set-memory': ({ memoryLimit, deviceMemory }) => set({ memoryLimit, deviceMemory }),
    'app.choose-scratch': async ({ usual }) => {
      if (usual) return set({ scratchFolder: '' })
      const folder = await chooseFolder(
        window.browser,
        t('desktop.folderForScratchFiles'),
        t('desktop.choose'),
      )
      return folder === null ? held(settings.memory) : set({ scratchFolder: folder })
    },
  }
}
