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
  var verdicts: array<Verdict, 4>;
  var slots: array<u32, 4>;
  for (var at = 0u; at < block_points / 64u; at++) {
    let place = group.x * block_points + at * 64u + lane;
    var standing = nothing_stands();
    for (var turn = 0u; turn < tiles * groups_a_tile; turn++) {
      let each = images[list_of(group.x) + 1u + turn / groups_a_tile].x * groups_a_tile + turn % groups_a_tile;
      var least = 3e38;
      var next = 3e38;
      var place_of_least = each * 8u;
      for (var cluster = each * 8u; cluster < each * 8u + 8u; cluster++) {
        var sum = 0.0;
        for (var vector = 0u; vector < vectors; vector++) {
          let x = point_halves[half_at(place, vector)];
          let c = images[(rows + cluster) * vectors + vector];
          for (var two = 0u; two < 4u; two++) {
            sum += dot(unpack2x16float(x[two]), unpack2x16float(c[two]));
          }
        }
        let score = start_quads[(rows + cluster) / 4u][cluster % 4u] - sum;
        place_of_least = select(place_of_least, cluster, score < least);
        next = min(next, max(least, score));
        least = min(least, score);
      }
      standing = after_group(standing, least, next, place_of_least);
    }
    verdicts[at] = verdict_for(point_records[place], standing, losses_now());
    slots[at] = slot_of(verdicts[at]);
  }
  begin_lists(lane);
  for (var i = 0u; i < block_points / 64u; i++) {
    list_verdict(verdicts[i], slots[i]);
  }
}`

let gpu: GpuDevice
beforeAll(async () => {
  gpu = await openDevice(await adapterOf(null))
})
afterAll(() => gpu.destroy())

/** The blobs in two parts, as large data are. */
const byHandOf = (request: CompileRequest) => ({
  ...fusedGroups(request, filterByMatrices(request, { directives: '', source: byHand })),
  pointsPerPart: 1000,
})

async function resultOf(
  points: Points,
  passesOf: (request: CompileRequest) => VariantPasses,
  empty: SessionConfig['empty'] = 'keep',
  start = points.x.slice(0, k * points.d),
) {
  const { n, d } = points
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const config: SessionConfig = {
    ...{ variant: 'fused', k, stop: 'none', threshold: 0, empty, timing: 'total' },
    ...{ trackChanged: true, trackInertia: true, trackCentroids: true },
  }
  const session = await openPasses(
    { ...gpu, software: false },
    points,
    config,
    passesOf({ n, k, d, workgroupBytes }),
  )
  // Sums last from pass to pass, but not from one run to the next.
  await session.start(points.x.slice(k * d, 2 * k * d))
  await session.advance({ iterations: 2, milliseconds: 1e5 }, new AbortController().signal)
  await session.start(start)
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
  ['more than 128 features', pointsOf(400, 140, (i, j) => Math.sin((i % 40) * (j + 1)) + 0.1 * noise(i, j))],
])('scores of 16-bit numbers give the bytes of global-atomics: %s', async (_, points) => {
  expect(await resultOf(points, byHandOf)).toEqual(await resultOf(points, globalAtomics))
})

it('sums that last follow a cluster that is dropped', async () => {
  const points = pointsOf(700, d, (i, j) => Math.sin((i % 40) * (j + 1)) + 0.1 * noise(i, j))
  const start = points.x.slice(0, k * d)
  start.copyWithin(20 * d, 0, d)
  const results = await resultOf(points, byHandOf, 'drop', start)
  expect(results).toEqual(await resultOf(points, globalAtomics, 'drop', start))
  expect(results.centroids[20 * d]).toBeNaN()
})
