import { groupsFor, lanesOfProcessor } from '@kernels/common/webgpu/device-lanes'
import freshSource from '@kernels/common/webgpu/fresh_centroids.wgsl?raw'
import meanSource from '@kernels/common/webgpu/mean.wgsl?raw'
import {
  grid,
  type CompileRequest,
  type Constants,
  type Kernel,
  type Pass,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import { blockFeatures, markedInLabels, resolving } from '@kernels/common/webgpu/resolving'
import scalesSource from '@kernels/common/webgpu/scales_of_four.wgsl?raw'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { wholeConstants } from '@kernels/common/webgpu/whole-numbers'
import wholeSource from '@kernels/common/webgpu/whole_numbers.wgsl?raw'
import byFourSource from '@kernels/methods/cluster-groups/rows_by_four.wgsl?raw'
import byOneSource from '@kernels/methods/cluster-groups/rows_by_one.wgsl?raw'
import imageSource from './centroid_image.wgsl?raw'
import sumsSource from './kept_sums.wgsl?raw'
import openSource from './open_points.wgsl?raw'
import rankedSource from './ranked_clusters.wgsl?raw'
import resolvedSource from './resolved_to_kept.wgsl?raw'
import source from './staged-points.wgsl?raw'
import { stagedShape, workgroupMemory, type StagedShape } from './staged-shape'

const smallThreads = 64

/** Tiles of points in workgroup memory, sums kept from pass to pass. */
export function stagedPoints(
  request: CompileRequest,
  shape: StagedShape = stagedShape(request),
): VariantPasses {
  const { k, d } = request
  const { columns, vectors, clusterTiles, tilePoints } = shape
  const constants = constantsOf(request, shape)
  const kernel = (bindings: Kernel['bindings'], writes: Kernel['bindings'] = []): Kernel => ({
    bindings,
    constants,
    writes,
  })
  const scratch = ['norms', 'kept', 'image', 'homes']
  const clusters = 4 * columns * vectors * clusterTiles
  const most = groupsFor(request, lanesOfProcessor) * groupsOfProcessor(request, shape)
  const groups = (count: number) => Math.max(1, Math.min(Math.ceil(count / tilePoints), most))
  const resolved = resolving(
    request,
    markedInLabels([wholeSource, resolvedSource], {
      bindings: ['points', 'labels', 'counts', 'centroids', 'scales'],
      scratch: ['kept', 'homes'],
      constants: { members_at: 3 * k * d, gathers: shape.gathers ? 1 : 0, ...wholeConstants(request) },
    }),
  )
  const tiles: Pass[] = [
    { kernel: 'make_image', scratch: ['image', 'kept'], groups: () => grid(clusters) },
    { kernel: 'staged_points', scratch, groups: ({ count }) => [groups(count), 1] },
    resolved.pass,
  ]
  const publish: Pass = {
    kernel: 'publish_sums',
    scratch,
    groups: () => grid(Math.ceil((k * d) / smallThreads)),
  }
  const rows = d % 4 === 0 ? byFourSource : byOneSource
  return {
    files: [
      meanSource,
      freshSource,
      wholeSource,
      rows,
      imageSource,
      source,
      rankedSource,
      openSource,
      scalesSource,
      sumsSource,
    ],
    fused: true,
    makesMeans: true,
    kernels: {
      ...(shape.byScores ? { measure_points: kernel(['points']) } : {}),
      make_image: kernel(['counts', 'sums', 'centroids', 'scales'], ['centroids']),
      staged_points: kernel(['points', 'labels', 'counts', 'scales']),
      publish_sums: kernel(['counts', 'sums', 'scales']),
      ...resolved.kernels,
    },
    scratch: {
      norms: { bytes: (points) => (shape.byScores ? 4 * points : 16), keptPer: 'part' },
      homes: { bytes: (points) => 4 * points, keptPer: 'part', zeroAtStart: true },
      kept: { bytes: () => 4 * (k * (3 * d + 1) + 3), keptPer: 'part', zeroAtStart: true },
      image: { bytes: () => 4 * clusters * (1 + paddedFeatures(shape)) },
    },
    ...(shape.byScores
      ? {
          prepare: [
            {
              kernel: 'measure_points',
              scratch: ['norms'],
              groups: ({ count }) => grid(Math.ceil(count / smallThreads)),
            },
          ],
        }
      : {}),
    assign: [...tiles, publish],
    whole: tiles,
    wholeEnd: [publish],
    update: [],
    listsDoubts: true,
    pointsPerGroup: tilePoints,
  }
}

/** Lanes of a processor that registers suffice for, and its memory for workgroups, as far as this is told. */
const busyLanes = 768
const processorBytes = 200 * 1024

/** Workgroups that a processor has at once: more would only begin and find no tile left. */
function groupsOfProcessor({ k, d }: CompileRequest, shape: StagedShape): number {
  const byMemory = Math.floor(processorBytes / workgroupMemory(shape, k, d))
  return Math.max(1, Math.min(Math.floor(busyLanes / shape.threads), byMemory))
}

const paddedFeatures = ({ slices, sliceQuads }: StagedShape) => 4 * slices * sliceQuads

/** Whole slices where distances choose; where scores do, distances are those of open points alone. */
function blocksOf({ byScores, sliceQuads }: StagedShape): Constants {
  const slices = byScores ? 1 : Math.ceil(blockFeatures / (4 * sliceQuads))
  return { block_slices: slices, block_features: byScores ? blockFeatures : 4 * sliceQuads * slices }
}

/** The overrides of the files of this folder. */
function constantsOf(request: CompileRequest, shape: StagedShape): Constants {
  const { k, d } = request
  return {
    ...wholeConstants(request),
    features: d,
    local_k: k,
    columns: shape.columns,
    vectors: shape.vectors,
    cluster_tiles: shape.clusterTiles,
    slices: shape.slices,
    slice_quads: shape.sliceQuads,
    by_scores: shape.byScores ? 1 : 0,
    ...blocksOf(shape),
    threads: shape.threads,
    lane_rows: shape.rows,
    stride: shape.stride,
    keeps_centroids: shape.keepsCentroids ? 1 : 0,
    gathers: shape.gathers ? 1 : 0,
    reads_ahead: shape.readsAhead ? 1 : 0,
  }
}

export default { passes: stagedPoints } satisfies WebgpuRegime
