import { LabError } from '@shared/errors'
import type { Engine } from './engine'

const reason = 'This version has no CUDA engine yet; choose cpu or webgpu.'

/** NVIDIA GPUs: announced under its name, so that asking for it gets an answer; it offers nothing yet. */
export const cudaEngine: Engine = {
  id: 'cuda',
  availability: async () => ({ available: false, reason }),
  devices: async () => [],
  variants: () => [],
  versions: async () => ({}),
  open: async () => {
    throw new LabError('engine-missing', 'cuda.missing', reason)
  },
}
