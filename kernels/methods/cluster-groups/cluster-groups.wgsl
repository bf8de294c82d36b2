// Many points of more than 8 features: what the passes over groups of eight neighbouring clusters
// share. Follows task.wgsl in one module; proof.md has the margin.

override features: u32 = 9u;
// Groups of eight clusters of k.
override all_groups: u32 = 1u;

const group_size = 8u;
// Clusters of a tile, and features of a slice of it.
const tile_clusters = 128u;
const tile_groups = 16u;
const depth = 8u;
override slices: u32 = (features + depth - 1u) / depth;
// Score and distance of a row past the last centroid.
const nowhere: f32 = 1e30;

// [tile][feature, filled up to slices][half of a group][group of the tile]: four coordinates of -c
// each; 0 past the end. Then the cluster that stands at each place, as numbers: its name.
@group(0) @binding(7) var<storage, read_write> tiled: array<vec4f>;

// Words of `state`, then one for each group: its number of points, later where its next point goes.
const longest_at = 0u;
const undecided_at = 1u;
const pairs_at = 2u;
const growth_at = 3u;
// For matrix units: the largest share of its length that a centroid loses by rounding; whether this
// pass goes by them; passes that go without, and for how many the next time that they leave too
// much undecided.
const lost_share_at = 4u;
const by_matrices_at = 5u;
const resting_at = 6u;
const next_rest_at = 7u;
// Whether this pass orders the clusters anew, how many of them are in order, and passes since.
const arranges_at = 8u;
const arranged_at = 9u;
const passes_at = 10u;
// Points that moved to another cluster, and how many sums they change: one, or two where they come
// from another one.
const moves_at = 11u;
const entries_at = 12u;
// Points between two clusters.
const duels_at = 13u;
const groups_at = 16u;

override tiles_of_all: u32 = (all_groups + tile_groups - 1u) / tile_groups;
override names_at: u32 = tiles_of_all * slices * depth * 2u * tile_groups;

// The length of a vector, and the root of the sum of the squared lengths of its beginnings: partial
// sums of a product are no larger together than the product of these roots. Squares are added
// feature by feature, both results rounded up.
struct Extent { length: f32, growth: f32 }

// First of the two vectors of a group's eight coordinates.
fn eight_at(group: u32, feature: u32) -> u32 {
  return ((group / tile_groups) * slices * depth + feature) * 2u * tile_groups + group % tile_groups;
}

fn coordinate(position: u32, feature: u32) -> f32 {
  if (position >= task.k || feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + name_of(position) * features + feature];
}

// A choice: the group that holds the nearest centroid, and a second one where scores do not tell.
fn choice_of(group: u32, next_group: u32) -> u32 {
  return group | (next_group << 16u);
}

// In place of a second group: the nearest centroids of several groups are equally near.
const any_group = 0xffffu;

// A choice that no distance needs to decide any more: the place of the nearest centroid.
const position_bits = 17u;
const decided_mark = 0x4000u;

fn decided(position: u32) -> u32 {
  return (decided_mark << position_bits) | position;
}

// A choice that is left to exact arithmetic.
const doubtful_mark = 0x4001u;
const doubtful_choice = doubtful_mark << position_bits;
// The same, between two clusters that are noted elsewhere.
const doubtful_pair = doubtful_choice + 1u;
