// Points that scores leave open: distances to all centroids, in blocks of features, by as many lanes a
// point as there are for it. Follows ranked_clusters.wgsl.

var<workgroup> open_in_tile: u32;
// Bits of the smallest distance, which are ordered as distances are, and the lowest cluster with it.
var<workgroup> min_bits: array<atomic<u32>, threads>;
var<workgroup> min_cluster: array<atomic<u32>, threads>;
// Bits of the smallest distance of the others.
var<workgroup> next_bits: array<atomic<u32>, threads>;

struct Nearest { distance: f32, cluster: u32, next: f32 }

fn nothing_near() -> Nearest {
  return Nearest(3e38, 0xffffffffu, 3e38);
}

fn nearer(so_far: Nearest, distance: f32, cluster: u32) -> Nearest {
  return Nearest(
    min(so_far.distance, distance),
    select(so_far.cluster, cluster, distance < so_far.distance),
    min(so_far.next, max(so_far.distance, distance)),
  );
}

// Of the centroids of every `step`-th vector from `part` on.
fn nearest_of(point: u32, part: u32, step: u32) -> Nearest {
  var best = nothing_near();
  for (var vector = part; 4u * vector < task.k; vector += step) {
    var at = (vector / tile_vectors * image_rows + 1u) * tile_vectors + vector % tile_vectors;
    var distances = vec4f();
    for (var first = 0u; first < features; first += block_features) {
      var sums = vec4f();
      for (var feature = first; feature < min(first + block_features, features); feature += 4u) {
        let x = four_of(point, feature);
        for (var i = 0u; i < 4u; i++) {
          let difference = vec4f(x[i]) + image[at];
          sums = fma(difference, difference, sums);
          at += tile_vectors;
        }
      }
      distances += sums;
    }
    for (var i = 0u; i < 4u; i++) {
      if (4u * vector + i < task.k) {
        best = nearer(best, distances[i], 4u * vector + i);
      }
    }
  }
  return best;
}

// All open points, by rounds of as many as there are lanes.
fn resolve_open(total: u32, lane: u32) {
  for (var begin = 0u; begin < total; begin += threads) {
    let points_now = min(threads, total - begin);
    let step = threads / points_now;
    let own = lane / step;
    let is_mine = own < points_now;
    atomicStore(&min_bits[lane], 0xffffffffu);
    atomicStore(&min_cluster[lane], 0xffffffffu);
    atomicStore(&next_bits[lane], bitcast<u32>(3e38));
    workgroupBarrier();
    var best = nothing_near();
    var index = 0u;
    if (is_mine) {
      index = open_points[begin + own];
      best = nearest_of(task.first + index, lane % step, step);
      atomicMin(&min_bits[own], bitcast<u32>(best.distance));
    }
    workgroupBarrier();
    if (is_mine && bitcast<u32>(best.distance) == atomicLoad(&min_bits[own])) {
      atomicMin(&min_cluster[own], best.cluster);
    }
    workgroupBarrier();
    if (is_mine) {
      let is_nearest = best.cluster == atomicLoad(&min_cluster[own]);
      atomicMin(&next_bits[own], bitcast<u32>(select(best.distance, best.next, is_nearest)));
    }
    workgroupBarrier();
    if (is_mine && lane % step == 0u) {
      if (is_in_doubt(bitcast<f32>(atomicLoad(&min_bits[own])), bitcast<f32>(atomicLoad(&next_bits[own])))) {
        leave_in_doubt(task.first + index);
      } else {
        note_point(index, atomicLoad(&min_cluster[own]), homes[task.first + index]);
      }
    }
    workgroupBarrier();
    add_moved(news_for(0u, lane).moved, lane);
  }
  if (lane == 0u) {
    atomicStore(&open_total, 0u);
  }
  workgroupBarrier();
}

// Before a tile, all of whose points may go to either list.
fn make_room(now: News, lane: u32) {
  if (now.open + tile_points > list_room) {
    add_moved(now.moved, lane);
    resolve_open(now.open, lane);
  } else if (now.moved + tile_points > list_room) {
    add_moved(now.moved, lane);
  }
}

// All that the lists hold, and what was gathered, goes to the kept sums.
fn add_all(lane: u32) {
  workgroupBarrier();
  let now = news_for(0u, lane);
  add_moved(now.moved, lane);
  resolve_open(now.open, lane);
  flush(lane);
}
