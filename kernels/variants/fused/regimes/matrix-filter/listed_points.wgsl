// Points that the filter on matrix units leaves to distances. Follows resolve_labels.wgsl and
// listed_tiles.wgsl.

@group(0) @binding(8) var<storage, read_write> search_choices: array<u32>;
@group(0) @binding(9) var<storage, read_write> searched: array<u32>;
@group(0) @binding(10) var<storage, read_write> search_state: array<u32>;
@group(0) @binding(11) var<storage, read_write> listed_images: array<vec4u>;

const listed_lanes = 16u;
const listed_together = 8u;
var<workgroup> all_open: u32;
var<workgroup> listed_found: array<Nearest, 128>;

// Points that are open: distances to the clusters of the tiles that their cell lists, sixteen lanes
// a point; to all clusters after float32 scores, which know no cells.
@compute @workgroup_size(128)
fn search_listed(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    all_open = search_state[undecided_at];
  }
  let total = workgroupUniformLoad(&all_open);
  let stride = groups.x * groups.y * listed_together;
  for (var first = (group.y * groups.x + group.x) * listed_together; first < total; first += stride) {
    let at = first + lane / listed_lanes;
    let index = searched[min(at, total - 1u)];
    let choice = search_choices[index];
    let by_list = choice >> 16u == any_group;
    let list = lists_at + select(0u, choice & 0xffffu, by_list) * (all_tiles + 1u);
    let count = select(all_groups, listed_images[list].x * groups_a_tile, by_list);
    var nearest = nothing_near();
    for (var each = lane % listed_lanes; each < count; each += listed_lanes) {
      let tile = listed_images[list + 1u + select(0u, each / groups_a_tile, by_list)].x;
      let one = select(each, tile * groups_a_tile + each % groups_a_tile, by_list);
      if (one < all_groups) {
        nearest = nearer_of(nearest, nearest_of_group(one, task.first + index));
      }
    }
    listed_found[lane] = nearest;
    workgroupBarrier();
    if (lane % listed_lanes == 0u && at < total) {
      for (var other = 1u; other < listed_lanes; other++) {
        nearest = nearer_of(nearest, listed_found[lane + other]);
      }
      search_choices[index] = choice_by(nearest);
    }
    workgroupBarrier();
  }
}

// Of a point that distances do not decide between two clusters: both, 16 bits each.
@group(0) @binding(11) var<storage, read_write> pairs_in_doubt: array<u32>;

const duel_threads = 64u;
var<workgroup> all_duels: u32;
var<workgroup> duel_sides: array<Nearest, 64>;

// Four differences, 0 past the last feature.
fn apart_at(point: u32, cluster: u32, feature: u32) -> vec4f {
  if (feature >= features) {
    return vec4f();
  }
  return four_of(point, feature) - centroid_four_of(cluster, feature);
}

fn four_squares(apart: vec4f, sum: f32) -> f32 {
  return fma(apart.w, apart.w, fma(apart.z, apart.z, fma(apart.y, apart.y, fma(apart.x, apart.x, sum))));
}

// Two lanes a point, one for each cluster; sixteen features, a block, are asked for at once.
@compute @workgroup_size(duel_threads)
fn decide_duels(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    all_duels = pair_state[duels_at];
  }
  let total = workgroupUniformLoad(&all_duels);
  let stride = groups.x * groups.y * (duel_threads / 2u);
  for (var first = (group.y * groups.x + group.x) * (duel_threads / 2u); first < total; first += stride) {
    let duel = first + lane / 2u;
    let index = open_pairs[task.count + min(duel, total - 1u)];
    let choice = pair_choices[index];
    let position = select(choice & 0xffffu, choice >> 16u, lane % 2u == 1u);
    let cluster = cluster_at(position);
    var distance = 0.0;
    for (var feature = 0u; feature < features; feature += 16u) {
      let a = apart_at(task.first + index, cluster, feature);
      let b = apart_at(task.first + index, cluster, feature + 4u);
      let c = apart_at(task.first + index, cluster, feature + 8u);
      let d = apart_at(task.first + index, cluster, feature + 12u);
      distance += four_squares(d, four_squares(c, four_squares(b, four_squares(a, 0.0))));
    }
    duel_sides[lane] = Nearest(distance, position, 3e38);
    workgroupBarrier();
    if (lane % 2u == 0u && duel < total) {
      let nearest = nearer_of(duel_sides[lane], duel_sides[lane + 1u]);
      if (is_in_doubt(nearest.distance, nearest.next)) {
        pairs_in_doubt[index] = cluster_at(choice & 0xffffu) | (cluster_at(choice >> 16u) << 16u);
        pair_choices[index] = doubtful_pair;
      } else {
        pair_choices[index] = decided(nearest.position);
      }
    }
    workgroupBarrier();
  }
}
