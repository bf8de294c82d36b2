import highSource from '@kernels/variants/fused/fused.wgsl?raw'
import { fewOf } from './fused-few'
import { fusedGroups, groupsPay } from './fused-groups'
import { low } from './fused-low'
import { orderFits, ordered, regions, type Ordered } from './fused-ordered'
import { near, nearPays } from './fused-near'
import { spread, spreadPays, table, tablePays } from './fused-plane'
import { allBindings, groupsOf, type CompileRequest, type VariantPasses } from './variant-passes'

const mostLowFeatures = 8
const pointsPerHighGroup = 64
/** Points, and points of a cluster, from which leaves that lie where one centroid is nearest pay. */
const fewestOrdered = 1_000_000
const fewestOfCluster = 20_000

/** One kernel for everything, but for large data of many features. */
export function fused(request: CompileRequest): VariantPasses {
  const few = request.software === true ? null : fewOf(request)
  if (few !== null) return areMany(request) ? inOrder(few, request, regions) : few
  if (spreadPays(request)) return spread(request)
  if (tablePays(request)) {
    return areMany(request) ? inOrder(table(request), request, regions) : table(request)
  }
  if (nearPays(request)) return near(request)
  if (request.d <= mostLowFeatures) return low(request)
  return groupsPay(request) ? fusedGroups(request) : high(request.d)
}

function high(d: number): VariantPasses {
  return {
    source: highSource,
    update: [],
    fused: true,
    kernels: { high: { bindings: allBindings, constants: { features: d } } },
    assign: [{ kernel: 'high', groups: groupsOf(pointsPerHighGroup) }],
    pointsPerGroup: pointsPerHighGroup,
  }
}

function areMany({ n, k }: CompileRequest): boolean {
  return n >= Math.max(fewestOrdered, fewestOfCluster * k)
}

/** Iterations over the points in the order of the plane, where that fits. */
function inOrder(
  passes: VariantPasses,
  request: CompileRequest,
  shapeOf: (request: CompileRequest) => Ordered,
): VariantPasses {
  const shape = shapeOf(request)
  return orderFits(request, shape) ? ordered(passes, request, shape) : passes
}
