// A thread's own point, four features at a time. Follows task.wgsl in one module.

override features: u32 = 2u;

fn point_value(point: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return points[point * features + feature];
}

fn four_of(point: u32, feature: u32) -> vec4f {
  return vec4f(
    point_value(point, feature),
    point_value(point, feature + 1u),
    point_value(point, feature + 2u),
    point_value(point, feature + 3u),
  );
}

fn squares(difference: vec4f) -> f32 {
  return dot(difference, difference);
}

// A thread's own point stays in registers up to 64 features; of a larger one each use reads global
// memory.
const held_vectors = 16u;
var<private> held: array<vec4f, held_vectors>;

fn hold(point: u32) {
  for (var vector = 0u; vector < held_vectors; vector++) {
    if (4u * vector < features) {
      held[vector] = four_of(point, 4u * vector);
    }
  }
}
