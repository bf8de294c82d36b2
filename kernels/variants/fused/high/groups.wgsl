// Many points of more than 8 features: what the passes over groups of eight neighbouring clusters share. Follows
// kernels/common/task.wgsl in one module; README.md has the passes and the proof.

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

// [tile][feature, filled up to slices][half of a group][group of the tile]: four coordinates of -c each; 0 past the end.
@group(0) @binding(7) var<storage, read_write> tiled: array<vec4f>;

// Words of `state`, then one for each group: its number of points, later where its next point goes.
const longest_at = 0u;
const undecided_at = 1u;
const pairs_at = 2u;
const growth_at = 3u;
const groups_at = 4u;

// The length of a vector, and the root of the sum of the squared lengths of its beginnings: partial sums of a product are
// no larger together than the product of these roots. Squares are added feature by feature, both results rounded up.
struct Extent { length: f32, growth: f32 }

// First of the two vectors of a group's eight coordinates.
fn eight_at(group: u32, feature: u32) -> u32 {
  return ((group / tile_groups) * slices * depth + feature) * 2u * tile_groups + group % tile_groups;
}

// A choice: the group that holds the nearest centroid, and a second one where scores do not tell.
fn choice_of(group: u32, next_group: u32) -> u32 {
  return group | (next_group << 16u);
}
