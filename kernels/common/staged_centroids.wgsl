// The nearest centroid by centroids staged in workgroup memory, tile by tile. Follows task.wgsl in one module.

override features: u32 = 2u;
// A tile holds `tile_rows` centroids of `tile_features` features; one row at a time where not even one fits whole.
override tile_rows: u32 = 64u;
override tile_features: u32 = 2u;

const threads = 256u;

var<workgroup> tile: array<f32, tile_rows * tile_features>;

fn stage_tile(first_row: u32, rows: u32, first_feature: u32, width: u32, lane: u32) {
  let base = task.slot * task.centroids_stride + first_row * features + first_feature;
  for (var at = lane; at < rows * width; at += threads) {
    tile[at] = centroids[base + at / width * features + at % width];
  }
}

fn add_squares(distance: f32, point: u32, row: u32, first_feature: u32, width: u32) -> f32 {
  let from_point = point * features + first_feature;
  var sum = distance;
  for (var feature = 0u; feature < width; feature++) {
    let difference = points[from_point + feature] - tile[row * width + feature];
    sum = fma(difference, difference, sum);
  }
  return sum;
}

// Called by all lanes of a workgroup, by those past the end too, with any point of theirs.
// Ties go to the lowest index: only a strictly smaller distance replaces the first candidate.
fn nearest_staged(point: u32, lane: u32) -> u32 {
  var best = 0u;
  var smallest = 0.0;
  var distance = 0.0;
  for (var first_row = 0u; first_row < task.k; first_row += tile_rows) {
    let rows = min(tile_rows, task.k - first_row);
    for (var first_feature = 0u; first_feature < features; first_feature += tile_features) {
      let width = min(tile_features, features - first_feature);
      workgroupBarrier();
      stage_tile(first_row, rows, first_feature, width, lane);
      workgroupBarrier();
      for (var row = 0u; row < rows; row++) {
        distance = add_squares(select(0.0, distance, first_feature > 0u), point, row, first_feature, width);
        if (first_feature + width == features && (first_row + row == 0u || distance < smallest)) {
          smallest = distance;
          best = first_row + row;
        }
      }
    }
  }
  return best;
}
