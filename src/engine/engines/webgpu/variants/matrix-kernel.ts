/** The shape of the filter on matrix units. A subgroup of 32 lanes holds 16 points a row of matrices. */
export interface MatrixShape {
  readonly subgroups: number
  /** Matrices of points a subgroup, one below the other. */
  readonly rows: number
  /** Matrices of clusters whose scores are looked at together: the tile of clusters in workgroup memory. */
  readonly columns: number
  /** Regions of scores a subgroup: with two there is one barrier a tile, with one there are two. */
  readonly regions: 1 | 2
}

const lanes = 32
const side = 16
/** Vectors at the end of an array that Dawn's check of the last row of a matrix wants to be there. */
const slack = 32
/** Tiles whose starts are kept: slower lanes still read those of the tile before. */
const keptStarts = 4

/** Points of a workgroup. */
export function blockPoints({ subgroups, rows }: MatrixShape): number {
  return subgroups * side * rows
}

/** Bytes of workgroup memory. @param d features. */
export function matrixBytes(shape: MatrixShape, d: number): number {
  const { tileClusters, tileVectors, scoreVectors } = sizesOf(shape, d)
  return 16 * (2 * tileVectors + (keptStarts * tileClusters) / 4 + scoreVectors + 2 * slack)
}

function sizesOf({ subgroups, rows, columns, regions }: MatrixShape, d: number) {
  const steps = Math.ceil(d / side)
  const vectors = 2 * steps
  // One more than there are, here and below, so that rows begin in different banks.
  const row = vectors + 1
  const quads = (side * rows) / 4
  const column = quads + 1
  const tileClusters = side * columns
  const regionVectors = tileClusters * column
  return {
    ...{ steps, vectors, row, quads, column, tileClusters, regionVectors },
    tileVectors: tileClusters * row,
    scoreVectors: subgroups * regions * regionVectors,
    threads: lanes * subgroups,
  }
}

const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

/**
 * WGSL of `filter_by_matrices` for `d` features: points stay in registers as left matrices, tiles of clusters pass through
 * workgroup memory, and scores come back through it, column by column, four points a lane.
 */
export function matrixKernel(shape: MatrixShape, d: number): string {
  const { rows, columns, regions } = shape
  const { steps, row, quads, column, tileClusters, tileVectors, regionVectors, scoreVectors, threads } =
    sizesOf(shape, d)
  const left = counted(rows).flatMap((r) => counted(steps).map((s) => leftMatrix(r, s, steps)))
  const sums = counted(rows).flatMap((r) => counted(columns).map((c) => [r, c] as const))
  const store = sums.map(
    ([r, c]) =>
      `subgroupMatrixStore<col_major>(&scores, region + ${c * side * column + 4 * r}u, sum_${r}_${c}, ${column}u);`,
  )
  const products = counted(steps).flatMap((s) => counted(columns).flatMap((c) => productsOf(rows, row, s, c)))
  return `
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Products = subgroup_matrix_result<f32, 16, 16>;
var<workgroup> cluster_tiles: array<vec4u, ${2 * tileVectors + slack}>;
var<workgroup> tile_starts: array<vec4f, ${(keptStarts * tileClusters) / 4}>;
var<workgroup> scores: array<vec4f, ${scoreVectors + slack}>;

@compute @workgroup_size(${threads})
fn filter_by_matrices(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // What the first products need is asked for at once: each answer takes as long as many products.
  let block = group.y * groups.x + group.x;
  let subgroup = subgroupBroadcastFirst(lane / ${lanes}u);
  let quad = lane % ${quads}u;
  let part = lane % ${lanes}u / ${quads}u;
  let first_place = (block * ${threads / lanes}u + subgroup) * ${side * rows}u;
  let list = list_of(block);
  let images_at = part_words[block_cells_at + block] * image_clusters();
  ${left.join('\n  ')}
  // The number of tiles, and the first two of them.
  let head = images[list];
  var tile = head.y;
  var next_tile = head.z;
  ${fetch(shape, d, 'tile', 'var ')}
  let tiles = tiles_for(block, head.x, lane);
  if (tiles == 0u) {
    return;
  }
  var standing = nothing_stands_for_four();
  ${stage(shape, d, '0u', '0u')}
  ${fetch(shape, d, 'next_tile')}
  workgroupBarrier();
  for (var turn = 0u; turn < tiles; turn++) {
    // Remainders, not masks: of these Dawn knows that they stay within the arrays, and leaves its checks out.
    let odd = turn % 2u;
    let tile_at = odd * ${tileVectors}u;
    let region = (lane / ${lanes}u * ${regions}u + ${regions === 2 ? 'odd' : '0u'}) * ${regionVectors}u;
    ${sums.map(([r, c]) => `var sum_${r}_${c} = Products();`).join('\n    ')}
    ${products.join('\n    ')}
    ${stage(shape, d, '((turn + 1u) % 2u)', `((turn + 1u) % ${keptStarts}u)`)}
    ${regions === 1 ? 'workgroupBarrier();' : ''}
    ${store.join('\n    ')}
    workgroupBarrier();
    ${groupRanks(shape, d)}
    tile = next_tile;
    next_tile = images[list + 1u + min(turn + 2u, tiles - 1u)].x;
    ${fetch(shape, d, 'next_tile')}
  }
  ${ending(shape, d)}
}`
}

/** A matrix of points lies in one piece. */
function leftMatrix(row: number, step: number, steps: number): string {
  const at = `((first_place / ${side}u + ${row}u) * ${steps}u + ${step}u) * ${2 * side}u`
  return `let left_${row}_${step} = subgroupMatrixLoad<Left, row_major>(&point_halves, ${at}, 2u);`
}

/** A step of sixteen features of all points and one matrix of clusters. */
function productsOf(rows: number, row: number, step: number, column: number): string[] {
  const at = `tile_at + ${column * side * row + 2 * step}u`
  const right = `right_${column}_${step}`
  return [
    `let ${right} = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, ${at}, ${row}u);`,
    ...counted(rows).map((r) => {
      const sum = `sum_${r}_${column}`
      return `${sum} = subgroupMatrixMultiplyAccumulate(left_${r}_${step}, ${right}, ${sum});`
    }),
  ]
}

/** Vectors of a tile that a lane brings from memory. */
function ownOf(shape: MatrixShape, d: number): readonly number[] {
  const { tileClusters, vectors, threads } = sizesOf(shape, d)
  return counted(Math.ceil((tileClusters * vectors) / threads))
}

function fetch(shape: MatrixShape, d: number, tile: string, declare = ''): string {
  const { tileClusters, vectors, threads } = sizesOf(shape, d)
  const own = ownOf(shape, d).map((i) => {
    const at = `images_at * ${vectors}u + ${tile} * ${tileClusters * vectors}u + ${i * threads}u + lane`
    return `${declare}next_${i} = images[${at}];`
  })
  const starts = `start_quads[images_at / 4u + ${tile} * ${tileClusters / 4}u + lane % ${tileClusters / 4}u]`
  return [...own, `${declare}next_start = ${starts};`].join('\n    ')
}

/** Puts the fetched tile into workgroup memory, where there is room for two tiles. */
function stage(shape: MatrixShape, d: number, half: string, start: string): string {
  const { tileClusters, vectors, row, tileVectors, threads } = sizesOf(shape, d)
  const copies = ownOf(shape, d).map((i) => {
    const own = `(lane + ${i * threads}u)`
    const to = `${half} * ${tileVectors}u + ${own} / ${vectors}u * ${row}u + ${own} % ${vectors}u`
    const isWhole = (i + 1) * threads <= tileClusters * vectors
    const copy = `cluster_tiles[${to}] = next_${i};`
    return isWhole ? copy : `if (${own} < ${tileClusters * vectors}u) { ${copy} }`
  })
  const quads = tileClusters / 4
  return [...copies, `if (lane < ${quads}u) { tile_starts[${start} * ${quads}u + lane] = next_start; }`].join(
    '\n    ',
  )
}

/** The two smallest scores of each of the lane's groups for its four points, and where the smaller one stands. */
function groupRanks(shape: MatrixShape, d: number): string {
  const { column, quads, tileClusters } = sizesOf(shape, d)
  const laneParts = lanes / quads
  const score = (c: number) => `${c < 4 ? 'low' : 'high'}.${'xyzw'[c % 4]} - scores[at + ${c * column}u]`
  const after = (c: number) => `{
        let score = ${score(c)};
        which = select(which, vec4u(${c}u), score < best);
        next = min(next, max(best, score));
        best = min(best, score);
      }`
  // With more parts of lanes than groups, some look on.
  const groups = 2 * shape.columns
  const guard = groups < laneParts ? `if (part < ${groups}u) ` : ''
  return counted(Math.max(1, groups / laneParts))
    .map((i) => {
      const within = `(part + ${i * laneParts}u)`
      return `${guard}{
      let at = region + ${within} * ${8 * column}u + quad;
      let start = turn % ${keptStarts}u * ${tileClusters / 4}u + 2u * ${within};
      let low = tile_starts[start];
      let high = tile_starts[start + 1u];
      var best = ${score(0)};
      var next = vec4f(3e38);
      var which = vec4u();
      ${counted(8).slice(1).map(after).join('\n      ')}
      standing = four_after_group(standing, best, next, tile * ${tileClusters}u + ${within} * 8u + which);
    }`
    })
    .join('\n    ')
}

/** Lanes tell each other the ranks of their groups, by way of the memory for scores, and each lane speaks for its points. */
function ending(shape: MatrixShape, d: number): string {
  const { rows, regions } = shape
  const { quads, regionVectors } = sizesOf(shape, d)
  const laneParts = lanes / quads
  const vector = (i: number) => `scores[own_at + ${i * lanes}u]`
  const value = (i: number) => `scores[at + ${i * lanes}u][component]`
  const points = counted((side * rows) / lanes)
  const place = (i: number) => `lane % ${lanes}u + ${i * lanes}u`
  return `${points.map((i) => `let record_${i} = point_records[first_place + ${place(i)}];`).join('\n  ')}
  let losses = losses_now();
  workgroupBarrier();
  let own_at = lane / ${lanes}u * ${regions * regionVectors}u + lane % ${lanes}u;
  ${vector(0)} = standing.first;
  ${vector(1)} = standing.inner;
  ${vector(2)} = standing.second;
  ${vector(3)} = standing.second_inner;
  ${vector(4)} = standing.third;
  ${vector(5)} = vec4f(standing.place);
  ${vector(6)} = vec4f(standing.second_place);
  workgroupBarrier();
  ${points
    .map(
      (i) => `var verdict_${i} = Verdict();
  var slot_${i} = 0u;
  {
    let component = (${place(i)}) % 4u;
    var all = nothing_stands();
    for (var other = 0u; other < ${laneParts}u; other++) {
      let at = lane / ${lanes}u * ${regions * regionVectors}u + other * ${quads}u + (${place(i)}) / 4u;
      all = merged(all, ${counted(7).map(value).join(', ')});
    }
    verdict_${i} = verdict_for(record_${i}, all, losses);
    slot_${i} = slot_of(verdict_${i});
  }`,
    )
    .join('\n  ')}
  begin_lists(lane);
  ${points.map((i) => `list_verdict(verdict_${i}, slot_${i});`).join('\n  ')}`
}

/** Groups of eight clusters of a tile. */
export function groupsATile({ columns }: MatrixShape): number {
  return (side * columns) / 8
}
