import {
  grid,
  groupsOf,
  type CompileRequest,
  type Kernel,
  type Pass,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
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
  pairsPass,
  readyPasses,
  sumConstants,
  sumPoints,
  tilePoints,
  tiling,
} from '@kernels/methods/cluster-groups/cluster-groups.webgpu'
import namesSource from './group-filter.wgsl?raw'

/** Open points of a workgroup of `search_few`, and up to how many it takes. */
const searchedTogether = 8
const maxFewPoints = 8192

/**
 * Many features: scores in float32 find a group of eight clusters for each point, distances decide inside it.
 * @param few open points up to which each has many lanes.
 */
export function groupFilter(request: CompileRequest, few = maxFewPoints): VariantPasses {
  const { k, d } = request
  const kernel = (bindings: Kernel['bindings'], more = {}): Kernel => ({
    bindings,
    constants: { features: d, all_groups: groupsIn(k), positions_wanted: 0, ...more },
  })
  return {
    files: [namesSource, ...groupFiles(d)],
    kernels: {
      clear_state: { bindings: [] },
      ...groupKernels(kernel),
      search_groups: kernel(['points'], { few_points: few }),
      search_few: kernel(['points'], { few_points: few }),
      count_groups: kernel([]),
      scatter_points: kernel([]),
      resolve_labels: kernel(['points', 'labels', 'counts', 'sums', 'scales'], sumConstants(d)),
    },
    scratch: groupScratch(request),
    prepare: [measurePass],
    assign: [
      { kernel: 'clear_state', scratch: ['state'], groups: () => [1, 1] },
      ...readyPasses(request, []),
      { kernel: 'filter_groups', scratch: tiling, groups: groupsOf(tilePoints) },
      pairsPass(request),
      ...searchPasses(request, few),
      ...labelPasses,
    ],
    update: [],
    pointsPerGroup: orderPoints,
    fused: true,
  }
}

function searchPasses(request: CompileRequest, few: number): Pass[] {
  const groups: Pass['groups'] = ({ count }) =>
    grid(Math.max(1, Math.ceil(Math.min(count, few) / searchedTogether)))
  return [
    { kernel: 'search_few', scratch: deciding, groups },
    { kernel: 'search_groups', scratch: tiling, groups: cappedGrid(request, tilePoints) },
  ]
}

/** All points are ordered by group and added up in every pass. */
const labelPasses: readonly Pass[] = [
  { kernel: 'count_groups', scratch: ['choices', 'state'], groups: groupsOf(orderPoints) },
  { kernel: 'begin_groups', scratch: ['choices', 'state'], groups: () => [1, 1] },
  { kernel: 'scatter_points', scratch: ['choices', 'state', 'order'], groups: groupsOf(orderPoints) },
  { kernel: 'resolve_labels', scratch: ['tiled', 'order', 'choices'], groups: groupsOf(sumPoints) },
]

export default { passes: (request) => groupFilter(request) } satisfies WebgpuRegime
