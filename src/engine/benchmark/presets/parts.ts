import { variants } from '@kernels/variants'
import type { Contender, OutsideSystem, Publication, SuiteCase, SuiteConfig } from '@shared/benchmark/suite'
import { defaultGeneratorSpec, type GeneratorSpec } from '@shared/generator'
import { defaultRunConfig } from '@shared/run-config'
import { engineIds, type EngineId, type VariantId } from '@shared/variant'

/** Engines that are no processor of the host. */
const deviceEngines = ['cuda', 'webgpu'] as const satisfies readonly EngineId[]

/** Generated data with every k it is clustered with; its n is that of the study. */
export interface FullCase {
  readonly name: string
  readonly spec: Pick<GeneratorSpec, 'n' | 'd'> & Partial<GeneratorSpec>
  /** Ascending. */
  readonly k: readonly number[]
}

/** Name of a dataset at a scale: with the full size in it, so that names stay distinct where sizes do not. */
export function scaledName(name: string, scale: number): string {
  return scale === 1 ? name : `${name} x ${scale}`
}

/** A case with `scale` times the points, never fewer than clusters. */
export function scaledCase({ name, spec, k }: FullCase, scale: number): SuiteCase {
  const n = Math.max(Math.round(spec.n * scale), ...k)
  return {
    dataset: {
      kind: 'generated',
      spec: { ...defaultGeneratorSpec, k: k[0], ...spec, n },
      name: scaledName(name, scale),
    },
    k,
  }
}

/** Says where published times are for more points than are clustered here. */
export function scaledDescription(
  description: string,
  publication: Publication | null,
  scale: number,
): string {
  if (scale === 1) return description
  const shown =
    publication === null || publication.times.length === 0
      ? ''
      : ' Published figures are shown all the same: they are for the full size.'
  return `${description} Here with ${scale} times the points.${shown}`
}

export function onCpu(...ids: readonly VariantId[]): readonly Contender[] {
  return ids.flatMap((id) => contendersOf(id, ['cpu']))
}

/** Variants on every engine but the CPU that offers them; what a machine lacks is skipped by the plan. */
export function onDevices(...ids: readonly VariantId[]): readonly Contender[] {
  return ids.flatMap((id) => contendersOf(id, deviceEngines))
}

/** The program's own variants, on every engine that offers them. */
export function ours(): readonly Contender[] {
  return variants.filter(({ from }) => from === 'ours').flatMap(({ id }) => contendersOf(id, engineIds))
}

export function outside(...systems: readonly OutsideSystem[]): readonly Contender[] {
  return systems.map((system) => ({ kind: 'outside', system }))
}

function contendersOf(id: VariantId, engines: readonly EngineId[]): readonly Contender[] {
  const declared = variants.find((variant) => variant.id === id)
  return engines
    .filter((engine) => declared?.engines[engine] !== undefined)
    .map((engine) => ({ kind: 'variant', engine, variant: id, device: null }))
}

const { features, missing, scaling, centroidsFile, seed, empty } = defaultRunConfig

/** A study's choices; what it says nothing about is as everywhere in the program. */
export function configOf(
  chosen: Pick<SuiteConfig, 'init' | 'stop' | 'tolerance' | 'maxIterations'>,
): SuiteConfig {
  return { features, missing, scaling, centroidsFile, seed, empty, ...chosen }
}
