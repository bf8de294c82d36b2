import highSource from '@kernels/variants/fused/fused.wgsl?raw'
import { fewOf } from './fused-few'
import { fusedGroups, groupsPay } from './fused-groups'
import { low } from './fused-low'
import { ordered, orderOf } from './fused-ordered'
import { near, nearPays } from './fused-near'
import { spread, spreadPays, table, tablePays } from './fused-plane'
import { allBindings, groupsOf, type CompileRequest, type VariantPasses } from './variant-passes'

const mostLowFeatures = 8
const pointsPerHighGroup = 64

/** One kernel for everything, but for large data of many features, and for points of the plane in order. */
export function fused(request: CompileRequest): VariantPasses {
  const passes = inGivenOrder(request)
  const shape = orderOf(request)
  return shape === null ? passes : ordered(passes, request, shape)
}

function inGivenOrder(request: CompileRequest): VariantPasses {
  const few = request.software === true ? null : fewOf(request)
  if (few !== null) return few
  if (spreadPays(request)) return spread(request)
  if (tablePays(request)) return table(request)
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
