// Rows of a multiple of four features, four at a time.
@group(0) @binding(1) var<storage, read> quads: array<vec4f>;

@group(0) @binding(5) var<storage, read> centroid_quads: array<vec4f>;

fn centroid_four_of(cluster: u32, feature: u32) -> vec4f {
  return centroid_quads[(task.slot * task.centroids_stride + cluster * features + feature) / 4u];
}

fn four_of(point: u32, feature: u32) -> vec4f {
  return quads[(point * features + feature) / 4u];
}
