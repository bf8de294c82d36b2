import { asStudied, type PlanQuestion, type WebgpuFacts } from '@shared/plan'
import { defaultWorkers } from '@shared/workers'
import type { CompileRequest, HostUpdate, VariantPasses } from './passes'

/** What a plan on WebGPU is asked, and what its regime is built for. */
export type WebgpuQuestion = PlanQuestion<WebgpuFacts>

interface RegimeNeeds {
  /** The device with matrix units, on which other kernels are slower. */
  readonly matrixUnits?: true
  /** Memory for a copy of the points in an order of its own, of which there may be too little. */
  readonly ordersPoints?: true
}

/** A regime that assigns points, writes their labels and adds them up. */
export interface LabellingRegime extends RegimeNeeds {
  passes(request: CompileRequest): VariantPasses
}

/** A regime that iterates over whole parts: labels, and iterations that count changes, are another one's. */
export interface IteratingRegime extends RegimeNeeds {
  iterations(request: CompileRequest, labelling: VariantPasses): VariantPasses
}

/** One way of carrying a variant out: what regimes/<name>/<name>.webgpu.ts exports by default. */
export type WebgpuRegime = LabellingRegime | IteratingRegime

/** The WebGPU side of a variant: what <id>/<id>.webgpu.ts exports by default. */
export interface WebgpuVariant {
  /** By name; `as-studied` alone where the variant has no table of regimes. */
  readonly regimes: Readonly<Record<string, WebgpuRegime>>
  /** The regime that labels for those that only iterate. */
  labelledBy?(question: WebgpuQuestion): string
  /** The processor updates, so that the CPU engine's addon must be there. */
  readonly hostUpdate?: HostUpdate
}

/** A variant of a study: one way of carrying it out, whatever the shape. */
export function keptAsStudied(
  passes: (request: CompileRequest) => VariantPasses,
  hostUpdate?: HostUpdate,
): WebgpuVariant {
  if (hostUpdate === undefined) return { regimes: { [asStudied]: { passes } } }
  const updated = (request: CompileRequest) => ({ ...passes(request), hostUpdate })
  return { regimes: { [asStudied]: { passes: updated } }, hostUpdate }
}

/** What passes are compiled for, on the device that the facts describe. */
export function requestFor({ shape, device, hints }: WebgpuQuestion): CompileRequest {
  const { n, k, d } = shape
  const { workgroupBytes, invocationsPerWorkgroup: workgroupThreads, lanesAtOnce } = device
  const workers = hints.workers ?? defaultWorkers
  return { n, k, d, workgroupBytes, workgroupThreads, lanesAtOnce, workers }
}
