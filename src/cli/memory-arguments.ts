import { limitNames, memoryLimit, parseSize } from '@engine/memory'
import { scratchVariable } from '@engine/scratch/scratch-variable'
import type { Given } from './given'

/** What may be taken of the machine; absent: what is free. Sizes as they were given. */
export interface MemoryChoice {
  readonly memory?: string
  readonly deviceMemory?: string
  readonly scratch?: string
}

/** @throws LabError `input` for what is no size */
export function memoryChoice(given: Given): MemoryChoice {
  const size = (name: string) =>
    given.value(name, (text) => {
      parseSize(text, `--${name}`)
      return text
    })
  const [memory, deviceMemory] = [size('memory-limit'), size('device-memory')]
  const scratch = given.text('scratch', 'a folder')
  return {
    ...(memory !== undefined && { memory }),
    ...(deviceMemory !== undefined && { deviceMemory }),
    ...(scratch !== undefined && { scratch }),
  }
}

/** Holds for all that this process does from now on. @throws LabError `input` for too little memory */
export function applyMemoryChoice({ memory, deviceMemory, scratch }: MemoryChoice): void {
  if (memory !== undefined) process.env[limitNames.memory] = memory
  if (deviceMemory !== undefined) process.env[limitNames.deviceMemory] = deviceMemory
  if (scratch !== undefined) process.env[scratchVariable] = scratch
  memoryLimit()
}
