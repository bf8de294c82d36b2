// For resolve_doubts.wgsl: a resolved point changes the sums that last, as lasting_sums.wgsl has them, where
// it moved; by the lanes of its team.

@group(0) @binding(7) var<storage, read_write> lasting: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> homes: array<u32>;
// Of points of the dispatch: two clusters that are the only candidates, all ones where there are more.
@group(0) @binding(9) var<storage, read_write> noted_pairs: array<u32>;
override lasting_counts_at: u32 = 1u;
override lasting_rests_at: u32 = 1u;

fn pair_in_doubt(point: u32) -> vec2u {
  let pair = noted_pairs[point - task.first];
  let is_pair = pair != 0xffffffffu;
  return select(vec2u(no_cluster), vec2u(pair & 0xffffu, pair >> 16u), is_pair);
}

fn known_before(point: u32) -> u32 {
  return homes[point];
}

// Biased numbers, or what takes them away.
fn add_lasting(cluster: u32, feature: u32, fixed: u32, rest: i32, is_taken: bool) {
  let at = cluster * task.d + feature;
  let low = select(fixed, 0u - fixed, is_taken);
  let high = select(0u, 0xffffffffu, is_taken && fixed != 0u);
  let before = atomicAdd(&lasting[2u * at], low);
  atomicAdd(&lasting[2u * at + 1u], high + select(0u, 1u, before + low < before));
  atomicAdd(&lasting[lasting_rests_at + at], bitcast<u32>(select(rest, -rest, is_taken)));
}

fn add_resolved(point: u32, cluster: u32, known: u32, own: u32) {
  if (known == cluster + 1u) {
    return;
  }
  for (var feature = own; feature < task.d; feature += team) {
    let value = bitcast<f32>(point_words[point * task.d + feature]);
    let fixed = to_fixed(value, feature);
    let rest = rest_of(value, feature);
    add_lasting(cluster, feature, fixed, rest, false);
    if (known != 0u) {
      add_lasting(known - 1u, feature, fixed, rest, true);
    }
  }
  if (own == 0u) {
    homes[point] = cluster + 1u;
    atomicAdd(&lasting[lasting_counts_at + cluster], 1u);
    if (known != 0u) {
      atomicAdd(&lasting[lasting_counts_at + known - 1u], 0xffffffffu);
    }
  }
}
