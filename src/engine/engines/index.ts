import type { EngineId } from '@shared/variant'
import { cpuEngine } from './cpu'
import { cudaEngine } from './cuda'
import type { Engine } from './engine'
import { webgpuEngine } from './webgpu'

/** Every engine, by its name. */
export const engines = {
  cpu: cpuEngine,
  cuda: cudaEngine,
  webgpu: webgpuEngine,
} satisfies Record<EngineId, Engine>
