// For resolve_doubts.wgsl: a resolved point changes kept sums, as kept_sums.wgsl has them, where it moved; by
// the lanes of its team.

@group(0) @binding(7) var<storage, read_write> kept: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> homes: array<u32>;
override members_at: u32 = 1u;

// Any two clusters may be the nearest.
fn pair_in_doubt(point: u32) -> vec2u {
  return vec2u(no_cluster);
}

fn known_before(point: u32) -> u32 {
  return homes[point];
}

// As in kept_sums.wgsl.
override gathers: bool = true;

fn add_kept(cluster: u32, feature: u32, low: u32, high: u32, rest: u32) {
  let at = 3u * (cluster * task.d + feature);
  let before = atomicAdd(&kept[at], low);
  atomicAdd(&kept[at + 1u], high + select(0u, 1u, before + low < before));
  if (!gathers) {
    atomicAdd(&kept[at + 2u], rest);
  }
}

fn add_resolved(point: u32, cluster: u32, known: u32, own: u32) {
  if (known == cluster + 1u) {
    return;
  }
  for (var feature = own; feature < task.d; feature += team) {
    let value = bitcast<f32>(point_words[point * task.d + feature]);
    if (gathers) {
      let added = whole_of(vec4f(value), vec4f(finest_of(feature)));
      let taken = opposite_of(added);
      add_kept(cluster, feature, added.low.x, added.high.x, 0u);
      if (known != 0u) {
        add_kept(known - 1u, feature, taken.low.x, taken.high.x, 0u);
      }
    } else {
      let fixed = i32(round(value * scales[feature]));
      let rest = rest_of(value, feature);
      add_kept(cluster, feature, u32(fixed), u32(fixed >> 31u), u32(rest));
      if (known != 0u) {
        add_kept(known - 1u, feature, u32(-fixed), u32(-fixed >> 31u), u32(-rest));
      }
    }
  }
  if (own == 0u) {
    homes[point] = cluster + 1u;
    atomicAdd(&kept[members_at + cluster], 1u);
    if (known != 0u) {
      atomicAdd(&kept[members_at + known - 1u], 0xffffffffu);
    }
  }
}
