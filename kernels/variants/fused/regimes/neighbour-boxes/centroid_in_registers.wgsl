// A centroid of up to 32 features in the registers of a thread, for candidate_lists.wgsl; written
// out like four_points.wgsl.

// Features 0 to 3, 4 to 7, ...; 0 past the last.
struct Centroid { q0: vec4f, q1: vec4f, q2: vec4f, q3: vec4f, q4: vec4f, q5: vec4f, q6: vec4f, q7: vec4f }

fn coordinate_or_zero(at: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return centroids[at + feature];
}

fn centroid_quad(at: u32, first: u32) -> vec4f {
  return vec4f(
    coordinate_or_zero(at, first),
    coordinate_or_zero(at, first + 1u),
    coordinate_or_zero(at, first + 2u),
    coordinate_or_zero(at, first + 3u),
  );
}

fn centroid_of(cluster: u32) -> Centroid {
  let at = task.slot * task.centroids_stride + cluster * features;
  return Centroid(
    centroid_quad(at, 0u),
    centroid_quad(at, 4u),
    centroid_quad(at, 8u),
    centroid_quad(at, 12u),
    centroid_quad(at, 16u),
    centroid_quad(at, 20u),
    centroid_quad(at, 24u),
    centroid_quad(at, 28u),
  );
}

fn centre_or_zero(feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return centre[min(feature, features - 1u)];
}

fn centre_quad(first: u32) -> vec4f {
  return vec4f(centre_or_zero(first), centre_or_zero(first + 1u), centre_or_zero(first + 2u), centre_or_zero(first + 3u));
}

// Squares added in order.
fn add_squares(e: vec4f, so_far: f32) -> f32 {
  return fma(e.w, e.w, fma(e.z, e.z, fma(e.y, e.y, fma(e.x, e.x, so_far))));
}

fn distance_to_centre(c: Centroid) -> f32 {
  var sum = add_squares(c.q0 - centre_quad(0u), 0.0);
  if (features > 4u) { sum = add_squares(c.q1 - centre_quad(4u), sum); }
  if (features > 8u) { sum = add_squares(c.q2 - centre_quad(8u), sum); }
  if (features > 12u) { sum = add_squares(c.q3 - centre_quad(12u), sum); }
  if (features > 16u) { sum = add_squares(c.q4 - centre_quad(16u), sum); }
  if (features > 20u) { sum = add_squares(c.q5 - centre_quad(20u), sum); }
  if (features > 24u) { sum = add_squares(c.q6 - centre_quad(24u), sum); }
  if (features > 28u) { sum = add_squares(c.q7 - centre_quad(28u), sum); }
  return sum;
}

fn reach_of(feature: u32, e: f32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  let at = min(feature, features - 1u);
  return max(e * above[at], -e * below[at]);
}

fn add_reaches(first: u32, e: vec4f, so_far: f32) -> f32 {
  let two = so_far + reach_of(first, e.x) + reach_of(first + 1u, e.y);
  return two + reach_of(first + 2u, e.z) + reach_of(first + 3u, e.w);
}

// What points of the cell can gain, at most, over its centre by going from one centroid to the
// other: as the box allows it, and as the ball does.
fn gain(c: Centroid, other: Centroid) -> f32 {
  let e = c.q0 - other.q0;
  var squared = add_squares(e, 0.0);
  var reach = add_reaches(0u, e, 0.0);
  if (features > 4u) {
    let e1 = c.q1 - other.q1;
    squared = add_squares(e1, squared);
    reach = add_reaches(4u, e1, reach);
  }
  if (features > 8u) {
    let e2 = c.q2 - other.q2;
    squared = add_squares(e2, squared);
    reach = add_reaches(8u, e2, reach);
  }
  if (features > 12u) {
    let e3 = c.q3 - other.q3;
    squared = add_squares(e3, squared);
    reach = add_reaches(12u, e3, reach);
  }
  if (features > 16u) {
    let e4 = c.q4 - other.q4;
    squared = add_squares(e4, squared);
    reach = add_reaches(16u, e4, reach);
  }
  if (features > 20u) {
    let e5 = c.q5 - other.q5;
    squared = add_squares(e5, squared);
    reach = add_reaches(20u, e5, reach);
  }
  if (features > 24u) {
    let e6 = c.q6 - other.q6;
    squared = add_squares(e6, squared);
    reach = add_reaches(24u, e6, reach);
  }
  if (features > 28u) {
    let e7 = c.q7 - other.q7;
    squared = add_squares(e7, squared);
    reach = add_reaches(28u, e7, reach);
  }
  return 2.0 * min(reach, 1.0001 * radius * sqrt(squared));
}
