import type { VariantId } from '@shared/variant'
import type { VariantPasses } from '@kernels/common/webgpu/passes'
import {
  requestFor,
  type WebgpuQuestion,
  type WebgpuRegime,
  type WebgpuVariant,
} from '@kernels/common/webgpu/variant'

const files = import.meta.glob<WebgpuVariant>(['./*/*.webgpu.ts', '!./*/regimes.webgpu.ts'], {
  eager: true,
  import: 'default',
})

/** ./tiled/tiled.webgpu.ts -> tiled; null for other files of a variant's folder. */
function variantOf(path: string): VariantId | null {
  const [, folder, file] = path.split('/')
  return file === `${folder}.webgpu.ts` ? folder : null
}

/** Every variant with WebGPU kernels: the folders that hold a file <id>.webgpu.ts. */
export const webgpuVariants: Readonly<Record<VariantId, WebgpuVariant>> = Object.fromEntries(
  Object.entries(files).flatMap(([path, variant]) => {
    const id = variantOf(path)
    return id === null ? [] : [[id, variant]]
  }),
)

/** A regime of a variant; null where the variant has none of this name on WebGPU. */
export function webgpuRegime(variant: VariantId, name: string): WebgpuRegime | null {
  if (!Object.hasOwn(webgpuVariants, variant)) return null
  const { regimes } = webgpuVariants[variant]
  return Object.hasOwn(regimes, name) ? regimes[name] : null
}

/** Passes of a regime; those of the regime that labels are in them, where it only iterates. */
export function regimePasses(
  variant: VariantId,
  regime: WebgpuRegime,
  question: WebgpuQuestion,
): VariantPasses {
  const request = requestFor(question)
  if ('passes' in regime) return regime.passes(request)
  const { regimes, labelledBy } = webgpuVariants[variant]
  const labelling = labelledBy === undefined ? null : regimes[labelledBy(question)]
  if (labelling === null || !('passes' in labelling)) {
    throw new Error(`The variant '${variant}' names no regime that labels the points.`)
  }
  return regime.iterations(request, labelling.passes(request))
}
