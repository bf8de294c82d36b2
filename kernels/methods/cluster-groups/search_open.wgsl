// Distances to all centroids for a few points: eight points a workgroup, one group of clusters a
// lane. Follows resolve_labels.wgsl.

@group(0) @binding(8) var<storage, read_write> search_choices: array<u32>;
@group(0) @binding(9) var<storage, read_write> searched: array<u32>;
@group(0) @binding(10) var<storage, read_write> search_state: array<u32>;

const search_threads = 128u;
const searched_together = 8u;

var<workgroup> found: array<Nearest, search_threads * searched_together>;

// As nearest_of_group, for eight points.
fn search_group(group: u32, own: array<u32, searched_together>, lane: u32) {
  var low: array<vec4f, searched_together>;
  var high: array<vec4f, searched_together>;
  for (var i = 0u; i < searched_together; i++) {
    low[i] = vec4f();
    high[i] = vec4f();
  }
  for (var feature = 0u; feature < features; feature += 4u) {
    let at = eight_at(group, feature);
    let a = tiled[at];
    let b = tiled[at + tile_groups];
    let c = tiled[at + 2u * tile_groups];
    let d = tiled[at + 3u * tile_groups];
    let e = tiled[at + 4u * tile_groups];
    let f = tiled[at + 5u * tile_groups];
    let g = tiled[at + 6u * tile_groups];
    let h = tiled[at + 7u * tile_groups];
    for (var i = 0u; i < searched_together; i++) {
      let x = four_of(own[i], feature);
      low[i] = four_terms(x, a, c, e, g, low[i]);
      high[i] = four_terms(x, b, d, f, h, high[i]);
    }
  }
  for (var i = 0u; i < searched_together; i++) {
    let at = i * search_threads + lane;
    found[at] = nearer_of(found[at], nearest_among(group, low[i], high[i]));
  }
}

@compute @workgroup_size(search_threads)
fn search_few(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.y * groups.x + group.x) * searched_together;
  let total = search_state[undecided_at];
  let has_points = first < total && total <= few_points;
  if (has_points) {
    var own: array<u32, searched_together>;
    for (var i = 0u; i < searched_together; i++) {
      own[i] = task.first + searched[min(first + i, total - 1u)];
      found[i * search_threads + lane] = Nearest(0xffffffffu, 3.4e38, 0u);
    }
    for (var each = lane; each < all_groups; each += search_threads) {
      search_group(each, own, lane);
    }
  }
  for (var half = search_threads / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (has_points && lane < half) {
      for (var i = 0u; i < searched_together; i++) {
        let at = i * search_threads + lane;
        found[at] = nearer_of(found[at], found[at + half]);
      }
    }
  }
  workgroupBarrier();
  if (has_points && lane < searched_together && first + lane < total) {
    search_choices[searched[first + lane]] = choice_at(found[lane * search_threads].position);
  }
}
