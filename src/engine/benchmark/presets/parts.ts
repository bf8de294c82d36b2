import { variants } from '@kernels/variants'
import type { Contender, OutsideSystem, SuiteCase, SuiteConfig } from '@shared/benchmark/suite'
import { defaultGeneratorSpec, type GeneratorSpec } from '@shared/generator'
import { defaultRunConfig } from '@shared/run-config'
import { engineIds, type EngineId, type VariantId } from '@shared/variant'

/** Engines that are no processor of the host. */
const deviceEngines = ['cuda', 'webgpu'] as const satisfies readonly EngineId[]

/** Generated data with every k it is clustered with, ascending; what is not said is as the program's generator has it. */
export function generatedCase(
  name: string,
  spec: Pick<GeneratorSpec, 'n' | 'd'> & Partial<GeneratorSpec>,
  k: readonly number[],
): SuiteCase {
  return { dataset: { kind: 'generated', spec: { ...defaultGeneratorSpec, k: k[0], ...spec }, name }, k }
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

/** 1000 times a decimal fraction as printed, without the noise of its binary form. */
export function milliseconds(seconds: number): number {
  return Number((seconds * 1000).toPrecision(12))
}
