// The nearest centroid by centroids staged in workgroup memory, tile by tile.
// Follows task.wgsl and point_in_registers.wgsl in one module.

// A tile holds `tile_rows` centroids, `tile_vectors` times four features of each; where not even
// one row fits whole, one row at a time, slice by slice.
override tile_rows: u32 = 64u;
override tile_vectors: u32 = 1u;

const threads = 256u;

// Features beyond the last are zero here and in the points: they add nothing to a distance.
var<workgroup> tile: array<vec4f, tile_rows * tile_vectors>;

fn centroid_value(row: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return centroids[task.slot * task.centroids_stride + row * features + feature];
}

fn stage_tile(first_row: u32, rows: u32, first_vector: u32, width: u32, lane: u32) {
  for (var at = lane; at < rows * width; at += threads) {
    let row = first_row + at / width;
    let feature = 4u * (first_vector + at % width);
    tile[at] = vec4f(
      centroid_value(row, feature),
      centroid_value(row, feature + 1u),
      centroid_value(row, feature + 2u),
      centroid_value(row, feature + 3u),
    );
  }
}

// Of the features in the tile; it begins with feature `4 * first_vector`.
fn distance_in_tile(point: u32, row: u32, first_vector: u32, width: u32) -> f32 {
  if (features <= 2u) {
    let difference = held[0].xy - tile[row].xy;
    return fma(difference.x, difference.x, difference.y * difference.y);
  }
  var sum = 0.0;
  if (features <= 4u * held_vectors) {
    // The tile holds whole rows; the bound is a constant, so that `held` is indexed by constants.
    for (var vector = 0u; vector < (features + 3u) / 4u; vector++) {
      sum += squares(held[vector] - tile[row * tile_vectors + vector]);
    }
    return sum;
  }
  for (var vector = 0u; vector < width; vector++) {
    sum += squares(four_of(point, 4u * (first_vector + vector)) - tile[row * width + vector]);
  }
  return sum;
}

// Called by all lanes of a workgroup, by those past the end too, with any point of theirs.
// Ties go to the lowest index: only a strictly smaller distance replaces the first candidate.
fn nearest_staged(point: u32, lane: u32) -> u32 {
  let vectors = (features + 3u) / 4u;
  hold(point);
  var best = 0u;
  var smallest = 0.0;
  var distance = 0.0;
  for (var first_row = 0u; first_row < task.k; first_row += tile_rows) {
    let rows = min(tile_rows, task.k - first_row);
    for (var first_vector = 0u; first_vector < vectors; first_vector += tile_vectors) {
      let width = min(tile_vectors, vectors - first_vector);
      workgroupBarrier();
      stage_tile(first_row, rows, first_vector, width, lane);
      workgroupBarrier();
      for (var row = 0u; row < rows; row++) {
        distance = select(0.0, distance, first_vector > 0u) + distance_in_tile(point, row, first_vector, width);
        if (first_vector + width == vectors && (first_row + row == 0u || distance < smallest)) {
          smallest = distance;
          best = first_row + row;
        }
      }
    }
  }
  return best;
}
