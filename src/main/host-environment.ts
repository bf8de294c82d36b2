import { limitNames } from '@engine/memory'
import { scratchVariable } from '@engine/scratch/scratch-variable'
import type { MemoryChoice } from './settings'

/** What tells Node, or the OpenSSL inside it, to load or trust something from elsewhere. */
const steersNode = /^(node_|openssl_|ssl_cert_)/i
/** Ours: another Node, other addons, another Vulkan driver, and every switch with which tests force a way through a kernel. */
const ours = /^centroid_lab_/i
/** Of those, what a person may want: where the calibration and scratch files lie, how many threads, how much memory, which adapter, who adds up sums. */
const wishes = new Set([
  'CENTROID_LAB_CACHE_DIR',
  'CENTROID_LAB_DEBUG',
  'CENTROID_LAB_DEVICE_MEMORY',
  'CENTROID_LAB_DEVICE_SUMS',
  'CENTROID_LAB_MEMORY_LIMIT',
  'CENTROID_LAB_SCRATCH_DIR',
  'CENTROID_LAB_THREADS',
  'CENTROID_LAB_WEBGPU_ADAPTER',
])

/** With what was set in the window in the place of what the program was started with. */
export function withMemory(env: NodeJS.ProcessEnv, memory: MemoryChoice): NodeJS.ProcessEnv {
  return { ...env, ...namedMemory(given(env, memory)) }
}

/** What holds: what was set in the window, else what the program was started with. */
export function given(env: NodeJS.ProcessEnv, memory: MemoryChoice): MemoryChoice {
  return {
    memoryLimit: memory.memoryLimit || (env[limitNames.memory] ?? ''),
    deviceMemory: memory.deviceMemory || (env[limitNames.deviceMemory] ?? ''),
    scratchFolder: memory.scratchFolder || (env[scratchVariable] ?? ''),
  }
}

function namedMemory({ memoryLimit, deviceMemory, scratchFolder }: MemoryChoice): NodeJS.ProcessEnv {
  const named = [
    [limitNames.memory, memoryLimit],
    [limitNames.deviceMemory, deviceMemory],
    [scratchVariable, scratchFolder],
  ]
  return Object.fromEntries(named.filter(([, text]) => text !== ''))
}

/**
 * The environment of the engine host. A package runs what was packed and nothing else, as Electron's fuses have
 * it for the window: `NODE_OPTIONS`, `NODE_PATH` and their kin, and our own overrides of what is run, stay behind.
 * In development all of it holds.
 */
export function hostEnvironment(env: NodeJS.ProcessEnv, isPackaged: boolean): NodeJS.ProcessEnv {
  if (!isPackaged) return env
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !steersNode.test(name) && (wishes.has(name) || !ours.test(name))),
  )
}
