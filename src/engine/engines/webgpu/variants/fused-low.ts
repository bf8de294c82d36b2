import directSource from '@kernels/variants/fused/direct.wgsl?raw'
import lowSource from '@kernels/variants/fused/low.wgsl?raw'
import scoredSource from '@kernels/variants/fused/scored.wgsl?raw'
import { persistentGroups, threadsFor } from './fused-sizes'
import { allBindings, grid, type CompileRequest, type Constants, type VariantPasses } from './variant-passes'

const pointsPerLane = 4
/** So few that the sums of a workgroup do not overflow. */
const mostPointsPerLow = 60 * 1024
/** Clusters from which choosing a group by scores pays. */
const fewestScored = 24
const groupSize = 8
/** Most of workgroup memory that copies of the sums may take. */
const replicaBytes = 12 * 1024

/** Up to eight features. */
export function low(request: CompileRequest): VariantPasses {
  const constants = lowConstants(request)
  const pointsPerGroup = pointsPerLane * constants.threads
  const groups = (count: number) =>
    Math.min(
      Math.ceil(count / pointsPerGroup),
      persistentGroups * Math.ceil(count / (persistentGroups * mostPointsPerLow)),
    )
  return {
    source: [
      `const row_vectors = ${rowVectorsOf(request.d)}u;`,
      lowSource,
      request.k < fewestScored ? directSource : scoredSource,
      loadOf(request.d),
    ].join('\n'),
    update: [],
    fused: true,
    kernels: { low: { bindings: allBindings, constants } },
    assign: [{ kernel: 'low', groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** Vectors of four that a row of d float32 takes. */
function rowVectorsOf(d: number): number {
  return Math.ceil(d / 4)
}

/** WGSL of the widest load that rows of d float32 allow. */
function loadOf(d: number): string {
  const type = d === 2 ? 'vec2f' : d % 4 === 0 ? 'vec4f' : 'f32'
  const values = (from: number) =>
    Array.from({ length: 4 }, (_, at) => (from + at < d ? `rows[p + ${from + at}u]` : '0.0')).join(', ')
  const row: Record<typeof type, string> = {
    vec2f: 'Row(vec4f(rows[p], 0.0, 0.0), vec4f())',
    vec4f: d === 4 ? 'Row(rows[p], vec4f())' : 'Row(rows[p], rows[p + 1u])',
    f32: `Row(vec4f(${values(0)}), vec4f(${values(4)}))`,
  }
  const stride = d === 2 || d === 4 ? 1 : d === 8 ? 2 : d
  return [
    `@group(0) @binding(1) var<storage, read> rows: array<${type}>;`,
    'fn load(index: u32) -> Row {',
    `  let p = point_at(index) * ${stride}u;`,
    `  return ${row[type]};`,
    '}',
  ].join('\n')
}

/** Shares workgroup memory between staged centroids and the workgroup's own sums, where these fit and pay. */
export function lowConstants({ n, k, d, workgroupBytes }: CompileRequest): Constants & { threads: number } {
  const budget = workgroupBytes - 64
  const rowVectors = rowVectorsOf(d)
  const groupBytes = 16 * (groupSize * rowVectors + 3)
  const sumsBytes = 4 * k * (2 * d + 1)
  const threads = threadsFor(n, pointsPerLane)
  const groups = Math.min(persistentGroups, Math.ceil(n / (pointsPerLane * threads)))
  const fits = sumsBytes + groupBytes * Math.min(Math.ceil(k / groupSize), groupSize) <= budget
  // A workgroup with fewer points than clusters would write more sums than it has points.
  const localSums = fits && n >= groups * k
  const forRows = budget - (localSums ? sumsBytes : 4 * (2 * d + 1))
  const tileGroups = Math.min(Math.ceil(k / groupSize), Math.floor(forRows / groupBytes))
  let replicas = 1
  const forReplicas = Math.min(replicaBytes, budget - groupBytes * tileGroups)
  while (localSums && replicas < 32 && 2 * replicas * sumsBytes <= forReplicas) replicas *= 2
  return {
    features: d,
    threads,
    tile_groups: tileGroups,
    local_sums: localSums ? 1 : 0,
    local_k: localSums ? k : 1,
    replicas,
  }
}
