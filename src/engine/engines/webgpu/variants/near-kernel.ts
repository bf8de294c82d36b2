const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const parts = ['x', 'y', 'z', 'w'] as const

/**
 * WGSL of what near/search.wgsl does with four points of `d` features in registers: one line a feature, for a loop would keep
 * them in memory.
 */
export function nearKernel(d: number): string {
  const features = counted(d)
  const vectors = counted(Math.ceil(d / 4))
  return [
    `struct Centroid { ${features.map((feature) => `f${feature}: f32`).join(', ')} }`,
    '',
    'fn centroid_of(cluster: u32) -> Centroid {',
    '  let at = task.slot * task.centroids_stride + cluster * features;',
    `  return Centroid(${features.map((feature) => `centroids[at + ${feature}u]`).join(', ')});`,
    '}',
    '',
    'fn distance_to_centre(c: Centroid) -> f32 {',
    ...features.map((feature) => `  let e${feature} = c.f${feature} - centre[${feature}];`),
    ...features.map((feature) => `  let s${feature} = ${sumOf(feature, `e${feature}`, `e${feature}`)};`),
    `  return s${d - 1};`,
    '}',
    '',
    '// What points of the cell can gain, at most, over its centre by going from one centroid to the other: as the box allows it, and as',
    '// the ball does.',
    'fn gain(c: Centroid, other: Centroid) -> f32 {',
    ...features.map((feature) => `  let e${feature} = c.f${feature} - other.f${feature};`),
    ...features.map((feature) => `  let s${feature} = ${sumOf(feature, `e${feature}`, `e${feature}`)};`),
    `  let g0 = max(e0 * above[0], -e0 * below[0]);`,
    ...features
      .slice(1)
      .map(
        (feature) =>
          `  let g${feature} = g${feature - 1} + max(e${feature} * above[${feature}], -e${feature} * below[${feature}]);`,
      ),
    `  return 2.0 * min(g${d - 1}, 1.0001 * radius * sqrt(s${d - 1}));`,
    '}',
    '',
    '// A coordinate of four points each.',
    `struct Four { ${features.map((feature) => `f${feature}: vec4f`).join(', ')} }`,
    '',
    'fn load_four(block: u32, lane: u32) -> Four {',
    '  let at = block * features * threads + lane;',
    `  return Four(${features.map((feature) => `ordered_points[at + ${feature}u * threads]`).join(', ')});`,
    '}',
    '',
    '// Squared distances, by differences, of four points to the row staged at `at`.',
    'fn distances(x: Four, at: u32) -> vec4f {',
    ...vectors.map((vector) => `  let c${vector} = staged[at + ${vector}u];`),
    ...features.flatMap((feature) => termOf(feature, of('c', feature))),
    `  return s${d - 1};`,
    '}',
    '',
    '// |c|^2 / 2 - x.c of four points and the row staged at `at`.',
    'fn scores(x: Four, at: u32, half_norm: f32) -> vec4f {',
    ...vectors.map((vector) => `  let c${vector} = staged[at + ${vector}u];`),
    ...features.map(
      (feature) =>
        `  let s${feature} = fma(x.f${feature}, vec4f(${of('c', feature)}), ${feature === 0 ? 'vec4f(half_norm)' : `s${feature - 1}`});`,
    ),
    `  return s${d - 1};`,
    '}',
    '',
    'fn squares(x: Four) -> vec4f {',
    ...features.map(
      (feature) =>
        `  let s${feature} = ${feature === 0 ? 'x.f0 * x.f0' : `fma(x.f${feature}, x.f${feature}, s${feature - 1})`};`,
    ),
    `  return s${d - 1};`,
    '}',
    '',
    '// As `distances`, each point to a row of its own.',
    'fn distances_apart(x: Four, at: vec4u) -> vec4f {',
    ...parts.flatMap((part) =>
      vectors.map((vector) => `  let ${part}${vector} = staged[at.${part} + ${vector}u];`),
    ),
    ...features.flatMap((feature) =>
      termOf(feature, `vec4f(${parts.map((part) => of(part, feature)).join(', ')})`),
    ),
    `  return s${d - 1};`,
    '}',
    '',
    'fn add_four(x: Four, at: vec4u, plane: u32) {',
    ...features.map((feature) => `  add_feature(${feature}u, x.f${feature}, at, plane);`),
    '}',
  ].join('\n')
}

/** A coordinate of the row whose vectors are called `row`0, `row`1, ... */
function of(row: string, feature: number): string {
  return `${row}${Math.floor(feature / 4)}.${parts[feature % 4]}`
}

/** A line of a sum of products, `s` and its number being the one before. */
function sumOf(feature: number, one: string, other: string): string {
  return feature === 0 ? `${one} * ${other}` : `fma(${one}, ${other}, s${feature - 1})`
}

function termOf(feature: number, centroid: string): string[] {
  const e = `e${feature}`
  return [`  let ${e} = x.f${feature} + ${centroid};`, `  let s${feature} = ${sumOf(feature, e, e)};`]
}
