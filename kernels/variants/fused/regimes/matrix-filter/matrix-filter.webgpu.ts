import {
  type CompileRequest,
  type Constants,
  type Kernel,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import { blockFeatures } from '@kernels/common/webgpu/resolving'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import {
  cappedGrid,
  deciding,
  groupFiles,
  groupKernels,
  groupScratch,
  groupsIn,
  measurePass,
  orderPoints,
  pairGrid,
  pairsPass,
  readyPasses,
  tilePoints,
  tiling,
} from '@kernels/methods/cluster-groups/cluster-groups.webgpu'
import cellsSource from '@kernels/methods/sampled-cells/sampled-cells.wgsl?raw'
import directives from './directives.wgsl?raw'
import { lastingKernels, lastingPasses, lastingScratch, lastingResolving } from './lasting-sums'
import lastingSource from './lasting_sums.wgsl?raw'
import listedSource from './listed_points.wgsl?raw'
import tilesSource from './listed_tiles.wgsl?raw'
import source from './matrix-filter.wgsl?raw'
import lanesSource from './matrix_lanes.wgsl?raw'
import {
  arrangePasses,
  filterPasses,
  imageConstants,
  imageKernels,
  imagePreparation,
  imageScratch,
  matrixNames,
} from './matrix-images'
import namesSource from './names_by_cell.wgsl?raw'
import halvesSource from './rounded_halves.wgsl?raw'
import verdictsSource from './verdicts.wgsl?raw'

/** Open points and points between two clusters that a workgroup takes at once. */
const searchedTogether = 8
const duelsTogether = 32
const maxPartProducts = 2 ** 38

/** What carries out the filter itself. */
interface FilterKernel {
  readonly directives: string
  readonly files: readonly string[]
  readonly named: Constants
}

/**
 * Many features: scores of 16-bit numbers find the groups of a point, or its cluster, and float32 decides the rest. Where these leave
 * too much open, some passes go by float32 scores (listed in README.md).
 * @param filter another `filter_by_matrices`, for devices without such units
 */
export function matrixFilter(request: CompileRequest, filter?: FilterKernel): VariantPasses {
  const { k, d } = request
  const files = [lanesSource, source]
  const own = filter ?? { directives, files, named: matrixNames(d) }
  const constants = {
    features: d,
    all_groups: groupsIn(k),
    block_features: blockFeatures,
    ...imageConstants(d),
  }
  const kernel = (bindings: Kernel['bindings'], more = {}): Kernel => ({
    bindings,
    constants: { ...constants, ...more },
  })
  const shared = [cellsSource, halvesSource, tilesSource, verdictsSource, listedSource, lastingSource]
  return {
    directives: own.directives,
    named: own.named,
    files: [namesSource, ...groupFiles(d), ...shared, ...own.files],
    kernels: {
      ...groupKernels(kernel),
      ...imageKernels(kernel),
      search_listed: kernel(['points']),
      decide_duels: kernel(['points', 'centroids']),
      ...lastingKernels(kernel, d),
      ...lastingResolving(request).kernels,
    },
    scratch: { ...groupScratch(request), ...lastingScratch(request), ...imageScratch(request) },
    prepare: [measurePass, ...imagePreparation(d)],
    assign: [
      { kernel: 'clear_for_matrices', scratch: ['state', 'words'], groups: () => [1, 1] },
      ...arrangePasses(request),
      ...readyPasses(request, ['names']),
      ...filterPasses(request),
      { kernel: 'filter_groups', scratch: tiling, groups: cappedGrid(request, tilePoints) },
      pairsPass(request),
      { kernel: 'decide_duels', scratch: [...deciding, 'order'], groups: pairGrid(request, duelsTogether) },
      {
        kernel: 'search_listed',
        scratch: [...deciding, 'images'],
        groups: pairGrid(request, searchedTogether),
      },
      ...lastingPasses(request),
    ],
    update: [],
    listsDoubts: true,
    pointsPerPart: pointsPerPart(request),
    pointsPerGroup: orderPoints,
    fused: true,
  }
}

/** Matrix units take whole parts: equal ones that a slow card with such units goes through in a tenth of a second. */
function pointsPerPart({ n, k, d }: CompileRequest): number {
  return Math.ceil(n / Math.ceil((n * k * d) / maxPartProducts))
}

export default { passes: (request) => matrixFilter(request), matrixUnits: true } satisfies WebgpuRegime
