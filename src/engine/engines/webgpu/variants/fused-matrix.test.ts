import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Points, SessionConfig } from '../../engine'
import { adapterOf } from '../adapters'
import { openDevice, type GpuDevice } from '../gpu-device'
import { openPasses } from '../open-session'
import { fusedGroups } from './fused-groups'
import { filterByMatrices } from './fused-matrix'
import { globalAtomics } from './global-atomics'
import type { CompileRequest, VariantPasses } from './variant-passes'

/** The products of the matrix units, added up by hand: SwiftShader has no such units. */
const byHand = `
@compute @workgroup_size(64)
fn filter_by_matrices(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let tiles = tiles_for(group.x, images[list_of(group.x)].x, lane);
  if (tiles == 0u) {
    return;
  }
  let rows = part_words[block_cells_at + group.x] * image_clusters();
  for (var i = lane; i < block_points; i += 64u) {
    let place = group.x * block_points + i;
    var ranks = Ranks(3e38, 3e38, 3e38, 0u, 0u);
    for (var at = 0u; at < tiles * groups_a_tile; at++) {
      let each = images[list_of(group.x) + 1u + at / groups_a_tile].x * groups_a_tile + at % groups_a_tile;
      var least = 3e38;
      for (var cluster = each * 8u; cluster < each * 8u + 8u; cluster++) {
        var sum = 0.0;
        for (var vector = 0u; vector < vectors; vector++) {
          let x = point_halves[place * vectors + vector];
          let c = images[(rows + cluster) * vectors + vector];
          for (var two = 0u; two < 4u; two++) {
            sum += dot(unpack2x16float(x[two]), unpack2x16float(c[two]));
          }
        }
        least = min(least, start_quads[(rows + cluster) / 4u][cluster % 4u] - sum);
      }
      ranks = ranked(ranks, least, each);
    }
    choose_for(point_records[place], ranks, losses_now());
  }
}`

let gpu: GpuDevice
beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})
afterAll(() => gpu.destroy())

const byHandOf = (request: CompileRequest) =>
  fusedGroups(request, filterByMatrices(request, { directives: '', source: byHand }))

async function resultOf(points: Points, passesOf: (request: CompileRequest) => VariantPasses) {
  const { n } = points
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const config: SessionConfig = {
    ...{ variant: 'fused', k, stop: 'none', threshold: 0, empty: 'keep', timing: 'total' },
    ...{ trackChanged: true, trackInertia: true, trackCentroids: true },
  }
  const session = await openPasses(
    { ...gpu, software: false },
    points,
    config,
    passesOf({ n, k, d, workgroupBytes }),
  )
  await session.start(points.x.slice(0, k * d))
  const done = await session.advance({ iterations: 3, milliseconds: 1e5 }, new AbortController().signal)
  const { labels, centroids } = await session.read()
  return { labels, centroids, changed: done.map(({ changed }) => changed) }
}

function pointsOf(n: number, d: number, value: (i: number, j: number) => number): Points {
  const x = Float32Array.from({ length: n * d }, (_, at) => value(Math.floor(at / d), at % d))
  const maxAbs = new Float32Array(d)
  x.forEach((each, at) => (maxAbs[at % d] = Math.max(maxAbs[at % d], Math.abs(each))))
  return { x, n, d, maxAbs }
}

const noise = (i: number, j: number) => (Math.imul(i * 977 + j * 131 + 7, 2654435761) >>> 8) / 2 ** 24 - 0.5

const k = 60
const d = 20
it.each([
  ['blobs', pointsOf(1501, d, (i, j) => Math.sin((i % 40) * (j + 1)) + 0.1 * noise(i, j))],
  ['far from the origin', pointsOf(700, d, (i, j) => 900 + noise(i % 50, j) + 0.001 * noise(i, j))],
  ['equal distances', pointsOf(900, d, (i, j) => Math.round(2 * noise(i, j)))],
])('scores of 16-bit numbers give the bytes of global-atomics: %s', async (_, points) => {
  expect(await resultOf(points, byHandOf)).toEqual(await resultOf(points, globalAtomics))
})
