// Scales of four features from `feature` on, in one of the rows of scales; 0 past the last.

fn scale_or_zero(feature: u32, row: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return scales[row * features + feature];
}

fn scales_of(feature: u32, row: u32) -> vec4f {
  return vec4f(
    scale_or_zero(feature, row),
    scale_or_zero(feature + 1u, row),
    scale_or_zero(feature + 2u, row),
    scale_or_zero(feature + 3u, row),
  );
}
