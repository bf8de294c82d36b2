// Rows of a multiple of four features, four at a time.
@group(0) @binding(1) var<storage, read> quads: array<vec4f>;

fn four_of(point: u32, feature: u32) -> vec4f {
  return quads[(point * features + feature) / 4u];
}
