// Four points of up to 32 features in the registers of a thread, for neighbour-boxes.wgsl: a loop
// over the features would keep them in memory, so each step over four of them is written out, and
// those past the last are left out when the module is compiled. Follows candidate_lists.wgsl in one
// module.

// Four features of four points each: a vector holds one coordinate of the four.
struct Quad { a: vec4f, b: vec4f, c: vec4f, d: vec4f }
// Features 0 to 3, 4 to 7, ...
struct Four { q0: Quad, q1: Quad, q2: Quad, q3: Quad, q4: Quad, q5: Quad, q6: Quad, q7: Quad }

fn load_feature(at: u32, feature: u32) -> vec4f {
  if (feature >= features) {
    return vec4f();
  }
  return ordered_points[at + feature * threads];
}

fn load_quad(at: u32, first: u32) -> Quad {
  return Quad(
    load_feature(at, first),
    load_feature(at, first + 1u),
    load_feature(at, first + 2u),
    load_feature(at, first + 3u),
  );
}

fn load_four(block: u32, lane: u32) -> Four {
  let at = block * features * threads + lane;
  return Four(
    load_quad(at, 0u),
    load_quad(at, 4u),
    load_quad(at, 8u),
    load_quad(at, 12u),
    load_quad(at, 16u),
    load_quad(at, 20u),
    load_quad(at, 24u),
    load_quad(at, 28u),
  );
}

// Squares of differences of a quad, added in order; `first`: its first feature.
fn squared_differences(x: Quad, c: vec4f, first: u32, so_far: vec4f) -> vec4f {
  let a = x.a + c.x;
  var sum = fma(a, a, so_far);
  if (first + 1u < features) {
    let b = x.b + c.y;
    sum = fma(b, b, sum);
  }
  if (first + 2u < features) {
    let e = x.c + c.z;
    sum = fma(e, e, sum);
  }
  if (first + 3u < features) {
    let e = x.d + c.w;
    sum = fma(e, e, sum);
  }
  return sum;
}

// Squared distances, by differences, of four points to the row staged at `at`.
fn distances(x: Four, at: u32) -> vec4f {
  var sum = squared_differences(x.q0, staged[at], 0u, vec4f());
  if (features > 4u) { sum = squared_differences(x.q1, staged[at + 1u], 4u, sum); }
  if (features > 8u) { sum = squared_differences(x.q2, staged[at + 2u], 8u, sum); }
  if (features > 12u) { sum = squared_differences(x.q3, staged[at + 3u], 12u, sum); }
  if (features > 16u) { sum = squared_differences(x.q4, staged[at + 4u], 16u, sum); }
  if (features > 20u) { sum = squared_differences(x.q5, staged[at + 5u], 20u, sum); }
  if (features > 24u) { sum = squared_differences(x.q6, staged[at + 6u], 24u, sum); }
  if (features > 28u) { sum = squared_differences(x.q7, staged[at + 7u], 28u, sum); }
  return sum;
}

fn products(x: Quad, c: vec4f, first: u32, so_far: vec4f) -> vec4f {
  var sum = fma(x.a, vec4f(c.x), so_far);
  if (first + 1u < features) { sum = fma(x.b, vec4f(c.y), sum); }
  if (first + 2u < features) { sum = fma(x.c, vec4f(c.z), sum); }
  if (first + 3u < features) { sum = fma(x.d, vec4f(c.w), sum); }
  return sum;
}

// |c|^2 / 2 - x.c of four points and the row staged at `at`.
fn scores(x: Four, at: u32, half_norm: f32) -> vec4f {
  var sum = products(x.q0, staged[at], 0u, vec4f(half_norm));
  if (features > 4u) { sum = products(x.q1, staged[at + 1u], 4u, sum); }
  if (features > 8u) { sum = products(x.q2, staged[at + 2u], 8u, sum); }
  if (features > 12u) { sum = products(x.q3, staged[at + 3u], 12u, sum); }
  if (features > 16u) { sum = products(x.q4, staged[at + 4u], 16u, sum); }
  if (features > 20u) { sum = products(x.q5, staged[at + 5u], 20u, sum); }
  if (features > 24u) { sum = products(x.q6, staged[at + 6u], 24u, sum); }
  if (features > 28u) { sum = products(x.q7, staged[at + 7u], 28u, sum); }
  return sum;
}

fn quad_squares(x: Quad, so_far: vec4f) -> vec4f {
  // Coordinates past the last feature are 0.
  return fma(x.d, x.d, fma(x.c, x.c, fma(x.b, x.b, fma(x.a, x.a, so_far))));
}

fn squares(x: Four) -> vec4f {
  var sum = quad_squares(x.q0, vec4f());
  if (features > 4u) { sum = quad_squares(x.q1, sum); }
  if (features > 8u) { sum = quad_squares(x.q2, sum); }
  if (features > 12u) { sum = quad_squares(x.q3, sum); }
  if (features > 16u) { sum = quad_squares(x.q4, sum); }
  if (features > 20u) { sum = quad_squares(x.q5, sum); }
  if (features > 24u) { sum = quad_squares(x.q6, sum); }
  if (features > 28u) { sum = quad_squares(x.q7, sum); }
  return sum;
}

// As squared_differences, each point to a row of its own.
fn squared_differences_apart(x: Quad, at: vec4u, vector: u32, so_far: vec4f) -> vec4f {
  let first = 4u * vector;
  let r = staged[at.x + vector];
  let s = staged[at.y + vector];
  let t = staged[at.z + vector];
  let u = staged[at.w + vector];
  let a = x.a + vec4f(r.x, s.x, t.x, u.x);
  var sum = fma(a, a, so_far);
  if (first + 1u < features) {
    let b = x.b + vec4f(r.y, s.y, t.y, u.y);
    sum = fma(b, b, sum);
  }
  if (first + 2u < features) {
    let e = x.c + vec4f(r.z, s.z, t.z, u.z);
    sum = fma(e, e, sum);
  }
  if (first + 3u < features) {
    let e = x.d + vec4f(r.w, s.w, t.w, u.w);
    sum = fma(e, e, sum);
  }
  return sum;
}

fn distances_apart(x: Four, at: vec4u) -> vec4f {
  var sum = squared_differences_apart(x.q0, at, 0u, vec4f());
  if (features > 4u) { sum = squared_differences_apart(x.q1, at, 1u, sum); }
  if (features > 8u) { sum = squared_differences_apart(x.q2, at, 2u, sum); }
  if (features > 12u) { sum = squared_differences_apart(x.q3, at, 3u, sum); }
  if (features > 16u) { sum = squared_differences_apart(x.q4, at, 4u, sum); }
  if (features > 20u) { sum = squared_differences_apart(x.q5, at, 5u, sum); }
  if (features > 24u) { sum = squared_differences_apart(x.q6, at, 6u, sum); }
  if (features > 28u) { sum = squared_differences_apart(x.q7, at, 7u, sum); }
  return sum;
}

fn add_quad(x: Quad, first: u32, at: vec4u, plane: u32) {
  add_feature(first, x.a, at, plane);
  if (first + 1u < features) { add_feature(first + 1u, x.b, at, plane); }
  if (first + 2u < features) { add_feature(first + 2u, x.c, at, plane); }
  if (first + 3u < features) { add_feature(first + 3u, x.d, at, plane); }
}

fn add_four(x: Four, at: vec4u, plane: u32) {
  add_quad(x.q0, 0u, at, plane);
  if (features > 4u) { add_quad(x.q1, 4u, at, plane); }
  if (features > 8u) { add_quad(x.q2, 8u, at, plane); }
  if (features > 12u) { add_quad(x.q3, 12u, at, plane); }
  if (features > 16u) { add_quad(x.q4, 16u, at, plane); }
  if (features > 20u) { add_quad(x.q5, 20u, at, plane); }
  if (features > 24u) { add_quad(x.q6, 24u, at, plane); }
  if (features > 28u) { add_quad(x.q7, 28u, at, plane); }
}
