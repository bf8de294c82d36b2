import source from '@kernels/variants/fused/fused.wgsl?raw'
import {
  allBindings,
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type VariantPasses,
} from './variant-passes'

const pointsPerLowGroup = 1024
const pointsPerHighGroup = 64
/** Of the low-dimensional kernel, which loops: enough to fill large cards, few enough to flush little. */
const persistentGroups = 528

/** One kernel for everything: which of the two depends on the number of features. */
export function fused({ k, d, workgroupBytes }: CompileRequest): VariantPasses {
  const shared = { source, update: [], fused: true }
  if (d > 8) {
    return {
      ...shared,
      kernels: { high: { bindings: allBindings, constants: { features: d } } },
      assign: [{ kernel: 'high', groups: groupsOf(pointsPerHighGroup) }],
      pointsPerGroup: pointsPerHighGroup,
    }
  }
  return {
    ...shared,
    kernels: { low: { bindings: allBindings, constants: lowConstants(k, d, workgroupBytes) } },
    assign: [{ kernel: 'low', groups: ({ count }) => grid(groupsOfLow(count)) }],
    pointsPerGroup: pointsPerLowGroup,
  }
}

function groupsOfLow(count: number): number {
  return Math.min(Math.ceil(count / pointsPerLowGroup), persistentGroups)
}

/** Shares workgroup memory between staged centroids and the workgroup's own sums, when these fit. */
export function lowConstants(k: number, d: number, workgroupBytes: number): Constants {
  const budget = workgroupBytes - 64
  const rowVectors = d <= 4 ? 1 : 2
  const rowBytes = 16 * rowVectors
  const sumsBytes = 4 * k * (2 * d + 1)
  const localSums = sumsBytes + rowBytes * Math.min(k, 64) <= budget
  const forRows = budget - (localSums ? sumsBytes : 4 * (2 * d + 1))
  const tileRows = Math.min(k, Math.floor(forRows / rowBytes))
  let replicas = 1
  const forReplicas = Math.min(12 * 1024, budget - rowBytes * tileRows)
  while (localSums && replicas < 32 && 2 * replicas * sumsBytes <= forReplicas) replicas *= 2
  return {
    features: d,
    tile_rows: tileRows,
    row_vectors: rowVectors,
    local_sums: localSums ? 1 : 0,
    local_k: localSums ? k : 1,
    replicas,
  }
}
