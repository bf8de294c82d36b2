import type { WebgpuRegime, WebgpuVariant } from '@kernels/common/webgpu/variant'
import { labellingRegime } from './regimes.webgpu'

/** A folder a regime: the table in regimes.webgpu.ts chooses among them by name. */
const found = import.meta.glob<WebgpuRegime>('./regimes/*/*.webgpu.ts', { eager: true, import: 'default' })

/** ./regimes/tiled/tiled.webgpu.ts -> tiled */
const nameOf = (path: string) => path.split('/')[2]

export default {
  regimes: Object.fromEntries(Object.entries(found).map(([path, regime]) => [nameOf(path), regime])),
  labelledBy: (question) => labellingRegime(question).name,
} satisfies WebgpuVariant
