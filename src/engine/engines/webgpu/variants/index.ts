import { LabError } from '@shared/errors'
import type { VariantId } from '@shared/variant'
import { distanceMatrix } from './distance-matrix'
import { fused } from './fused'
import { areManyForMatrices } from './fused-groups'
import { mostMatrixFeatures } from './fused-matrix'
import { globalAtomics } from './global-atomics'
import { hybrid } from './hybrid'
import { hybridParallel } from './hybrid-parallel'
import { irregularReduction } from './irregular-reduction'
import { partialSums } from './partial-sums'
import { sharedCentroids } from './shared-centroids'
import { sortReduce } from './sort-reduce'
import { treeReduction } from './tree-reduction'
import type { CompileRequest, VariantPasses } from './variant-passes'

/** Every variant with WebGPU kernels; a test holds the list against the declarations in kernels/variants. */
export const passesOf: Readonly<Record<VariantId, (request: CompileRequest) => VariantPasses>> = {
  'distance-matrix': distanceMatrix,
  fused,
  'global-atomics': globalAtomics,
  hybrid,
  'hybrid-parallel': hybridParallel,
  'irregular-reduction': irregularReduction,
  'partial-sums': partialSums,
  'shared-centroids': sharedCentroids,
  'sort-reduce': sortReduce,
  'tree-reduction': treeReduction,
}

/** Variants whose update is the processor's, and which therefore need the CPU engine's addon. */
export const hybridVariants: ReadonlySet<VariantId> = new Set(['hybrid', 'hybrid-parallel'])

/** Whether a variant would use matrix units for these data, if the device had them. */
export function wantsMatrices(variant: VariantId, shape: Pick<CompileRequest, 'n' | 'k' | 'd'>): boolean {
  return variant === 'fused' && shape.d <= mostMatrixFeatures && areManyForMatrices(shape)
}

/** @throws LabError for a variant without WebGPU kernels. */
export function variantPasses(variant: VariantId, request: CompileRequest): VariantPasses {
  if (!Object.hasOwn(passesOf, variant)) {
    const offered = Object.keys(passesOf).join(', ')
    const message = `There is no WebGPU kernel for the variant '${variant}'; choose one of ${offered}.`
    throw new LabError('input', 'webgpu.no-variant', message)
  }
  return passesOf[variant](request)
}
