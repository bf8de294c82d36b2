import columnsSource from '@kernels/common/webgpu/columns.wgsl?raw'
import source from './irregular-reduction.wgsl?raw'
import { columnBytes, transposition } from '@kernels/common/webgpu/columns'
import { grid, largerPieces, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

const itemsPerGroup = 256
/** Partial sums of all groups: 128 MiB, which every device can bind. */
const partialBytes = 2 ** 27
/** As one dimension of a dispatch holds. */
const maxDispatched = 65535
/** Added by one item of the further kernel before its log steps; fewer items spend less time at barriers. */
const partialsPerMerger = 16
const maxFeaturesAtOnce = 4
/** Workgroup memory of the kernel beside its arrays. */
const smallBytes = 64

/**
 * Assignment from columns, gathering and log steps within groups, in one kernel; partials of the groups added by cluster.
 * @param maxBytes of the groups' partial sums.
 */
export function irregularReduction(
  { n, k, d, workgroupBytes }: CompileRequest,
  maxBytes = partialBytes,
): VariantPasses {
  const maxGroups = Math.max(1, Math.min(maxDispatched, Math.floor(maxBytes / (8 * k * d))))
  const groupsFor = (count: number) => Math.min(Math.ceil(count / itemsPerGroup), maxGroups)
  const slice = Math.min(d, maxFeaturesAtOnce)
  const forClusters = workgroupBytes - smallBytes - 8 * slice * itemsPerGroup
  const tile = Math.min(k, Math.floor(forClusters / 8))
  const mergers = Math.max(1, Math.min(itemsPerGroup, powerOfTwo(groupsFor(n) / partialsPerMerger)))
  const constants = { features: d, max_groups: maxGroups, tile, slice, mergers }
  const scratch = ['columns', 'partialSums', 'partialCounts']
  return {
    files: [columnsSource, source],
    kernels: {
      transpose: { bindings: ['points'], constants: { features: d } },
      assign_and_reduce: { bindings: ['labels', 'counts', 'centroids', 'scales'], constants },
      merge: { bindings: ['counts', 'sums'], constants },
    },
    scratch: {
      columns: columnBytes(d),
      partialSums: { bytes: (points) => 8 * k * d * groupsFor(points) },
      partialCounts: { bytes: (points) => 4 * k * groupsFor(points) },
    },
    prepare: [transposition],
    assign: [
      { kernel: 'assign_and_reduce', scratch, groups: ({ count }) => grid(groupsFor(count)) },
      { kernel: 'merge', scratch, groups: (shape) => grid(shape.k) },
    ],
    update: [],
    pointsPerGroup: largerPieces(itemsPerGroup, { k, d }),
    fused: true,
  }
}

/** The first that is not less. */
function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(least))
}

export default keptAsStudied(irregularReduction)
