// Tiles of points and of centroids in workgroup memory, four or eight points by four or eight
// clusters a lane in registers. Each point is read once where its centroids fit into one tile.
// Follows centroid_image.wgsl; ranked_clusters.wgsl, open_points.wgsl and kept_sums.wgsl follow.
// Nothing but memory is indexed by a value that is not constant: drivers keep such variables out of
// registers.

override threads: u32 = 64u;
// Lanes below each other, and points of each.
override lane_rows: u32 = 64u;
override lane_points: u32 = 4u;
// Vectors from one row of a tile of points to the next; odd, so that rows begin in different banks.
override stride: u32 = 1u;
// Whether centroids stay in workgroup memory, or a slice of them is brought for each of the points.
override keeps_centroids: bool = true;

override tile_points: u32 = lane_rows * lane_points;
// Vectors of a slice that a lane brings, and points of a tile that it labels: four at most.
override lane_quads: u32 = (tile_points * slice_quads + threads - 1u) / threads;
override label_turns: u32 = (tile_points + threads - 1u) / threads;
// Whether a lane asks for its vectors of the next slice, sixteen at most, before it looks at this one.
override reads_ahead: bool = false;
override staged_rows: u32 = select(4u * slice_quads, padded_features, keeps_centroids);
// Between the results of two rows of lanes.
override result_stride: u32 = columns | 1u;
override tile_memory: u32 = max(tile_points * stride, (lane_points / 2u) * lane_rows * result_stride);

@group(0) @binding(9) var<storage, read_write> image: array<vec4f>;
@group(0) @binding(10) var<storage, read_write> homes: array<u32>;
@group(0) @binding(7) var<storage, read_write> norms: array<f32>;

// Points of a slice, [point][four features]; then the two results of two points in each lane.
var<workgroup> tile: array<vec4f, tile_memory>;
// [feature][four clusters], and their half norms.
var<workgroup> staged: array<vec4f, staged_rows * tile_vectors>;
var<workgroup> starts: array<vec4f, tile_vectors>;
// The greatest squared length of a centroid.
var<workgroup> longest: f32;

// Of eight points and eight clusters of the lane: four clusters a vector.
struct Sums {
  a: vec4f, b: vec4f, c: vec4f, d: vec4f, e: vec4f, f: vec4f, g: vec4f, h: vec4f,
  a2: vec4f, b2: vec4f, c2: vec4f, d2: vec4f, e2: vec4f, f2: vec4f, g2: vec4f, h2: vec4f,
}

fn term(x: f32, centroid: vec4f, sum: vec4f) -> vec4f {
  if (by_scores) {
    return fma(vec4f(x), centroid, sum);
  }
  let difference = vec4f(x) + centroid;
  return fma(difference, difference, sum);
}

// A feature of all: `x` of the first four points, `y` of the others.
fn add_feature(sums: ptr<function, Sums>, at: u32, x: vec4f, y: vec4f) {
  let front = staged[at];
  (*sums).a = term(x.x, front, (*sums).a);
  (*sums).b = term(x.y, front, (*sums).b);
  (*sums).c = term(x.z, front, (*sums).c);
  (*sums).d = term(x.w, front, (*sums).d);
  if (lane_points > 4u) {
    (*sums).e = term(y.x, front, (*sums).e);
    (*sums).f = term(y.y, front, (*sums).f);
    (*sums).g = term(y.z, front, (*sums).g);
    (*sums).h = term(y.w, front, (*sums).h);
  }
  if (vectors > 1u) {
    let back = staged[at + columns];
    (*sums).a2 = term(x.x, back, (*sums).a2);
    (*sums).b2 = term(x.y, back, (*sums).b2);
    (*sums).c2 = term(x.z, back, (*sums).c2);
    (*sums).d2 = term(x.w, back, (*sums).d2);
    if (lane_points > 4u) {
      (*sums).e2 = term(y.x, back, (*sums).e2);
      (*sums).f2 = term(y.y, back, (*sums).f2);
      (*sums).g2 = term(y.z, back, (*sums).g2);
      (*sums).h2 = term(y.w, back, (*sums).h2);
    }
  }
}

// A slice of features of all points and clusters of the lane. `at`: where its clusters begin.
fn add_slice(sums: ptr<function, Sums>, row: u32, first: u32) {
  var at = first;
  for (var quad = 0u; quad < slice_quads; quad++) {
    let p = row * stride + quad;
    let xa = tile[p];
    let xb = tile[p + lane_rows * stride];
    let xc = tile[p + 2u * lane_rows * stride];
    let xd = tile[p + 3u * lane_rows * stride];
    var ya = vec4f();
    var yb = vec4f();
    var yc = vec4f();
    var yd = vec4f();
    if (lane_points > 4u) {
      ya = tile[p + 4u * lane_rows * stride];
      yb = tile[p + 5u * lane_rows * stride];
      yc = tile[p + 6u * lane_rows * stride];
      yd = tile[p + 7u * lane_rows * stride];
    }
    add_feature(sums, at, vec4f(xa.x, xb.x, xc.x, xd.x), vec4f(ya.x, yb.x, yc.x, yd.x));
    add_feature(sums, at + tile_vectors, vec4f(xa.y, xb.y, xc.y, xd.y), vec4f(ya.y, yb.y, yc.y, yd.y));
    add_feature(sums, at + 2u * tile_vectors, vec4f(xa.z, xb.z, xc.z, xd.z), vec4f(ya.z, yb.z, yc.z, yd.z));
    add_feature(sums, at + 3u * tile_vectors, vec4f(xa.w, xb.w, xc.w, xd.w), vec4f(ya.w, yb.w, yc.w, yd.w));
    at += 4u * tile_vectors;
  }
}

// What scores begin with: half norms. Distances begin at 0. Written out, as SwiftShader keeps what
// a variable without initialiser held in the round before.
fn begun(column: u32) -> Sums {
  var front = vec4f();
  var back = vec4f();
  if (by_scores) {
    front = starts[column];
    if (vectors > 1u) {
      back = starts[columns + column];
    }
  }
  return Sums(
    front, front, front, front, front, front, front, front,
    back, back, back, back, back, back, back, back,
  );
}

// Four features of a point of the tile that begins at `first`; past the last point those of that.
fn staged_four(first: u32, at: u32, slice: u32) -> vec4f {
  let quad = slice * slice_quads + at % slice_quads;
  if (4u * quad >= features) {
    return vec4f();
  }
  return four_of(task.first + min(first + at / slice_quads, task.count - 1u), 4u * quad);
}

// Sixteen vectors of a lane, `threads` apart, as they come from memory.
struct Quads {
  a: vec4f, b: vec4f, c: vec4f, d: vec4f, e: vec4f, f: vec4f, g: vec4f, h: vec4f,
  i: vec4f, j: vec4f, k: vec4f, l: vec4f, m: vec4f, n: vec4f, o: vec4f, p: vec4f,
}

fn quads_of(first: u32, slice: u32, at: u32) -> Quads {
  var quads = Quads();
  quads.a = staged_four(first, at, slice);
  if (lane_quads > 1u) { quads.b = staged_four(first, at + threads, slice); }
  if (lane_quads > 2u) { quads.c = staged_four(first, at + 2u * threads, slice); }
  if (lane_quads > 3u) { quads.d = staged_four(first, at + 3u * threads, slice); }
  if (lane_quads > 4u) { quads.e = staged_four(first, at + 4u * threads, slice); }
  if (lane_quads > 5u) { quads.f = staged_four(first, at + 5u * threads, slice); }
  if (lane_quads > 6u) { quads.g = staged_four(first, at + 6u * threads, slice); }
  if (lane_quads > 7u) { quads.h = staged_four(first, at + 7u * threads, slice); }
  if (lane_quads > 8u) { quads.i = staged_four(first, at + 8u * threads, slice); }
  if (lane_quads > 9u) { quads.j = staged_four(first, at + 9u * threads, slice); }
  if (lane_quads > 10u) { quads.k = staged_four(first, at + 10u * threads, slice); }
  if (lane_quads > 11u) { quads.l = staged_four(first, at + 11u * threads, slice); }
  if (lane_quads > 12u) { quads.m = staged_four(first, at + 12u * threads, slice); }
  if (lane_quads > 13u) { quads.n = staged_four(first, at + 13u * threads, slice); }
  if (lane_quads > 14u) { quads.o = staged_four(first, at + 14u * threads, slice); }
  if (lane_quads > 15u) { quads.p = staged_four(first, at + 15u * threads, slice); }
  return quads;
}

fn stage_quad(at: u32, x: vec4f) {
  if (at < tile_points * slice_quads) {
    tile[at / slice_quads * stride + at % slice_quads] = x;
  }
}

fn stage_quads(at: u32, quads: Quads) {
  stage_quad(at, quads.a);
  if (lane_quads > 1u) { stage_quad(at + threads, quads.b); }
  if (lane_quads > 2u) { stage_quad(at + 2u * threads, quads.c); }
  if (lane_quads > 3u) { stage_quad(at + 3u * threads, quads.d); }
  if (lane_quads > 4u) { stage_quad(at + 4u * threads, quads.e); }
  if (lane_quads > 5u) { stage_quad(at + 5u * threads, quads.f); }
  if (lane_quads > 6u) { stage_quad(at + 6u * threads, quads.g); }
  if (lane_quads > 7u) { stage_quad(at + 7u * threads, quads.h); }
  if (lane_quads > 8u) { stage_quad(at + 8u * threads, quads.i); }
  if (lane_quads > 9u) { stage_quad(at + 9u * threads, quads.j); }
  if (lane_quads > 10u) { stage_quad(at + 10u * threads, quads.k); }
  if (lane_quads > 11u) { stage_quad(at + 11u * threads, quads.l); }
  if (lane_quads > 12u) { stage_quad(at + 12u * threads, quads.m); }
  if (lane_quads > 13u) { stage_quad(at + 13u * threads, quads.n); }
  if (lane_quads > 14u) { stage_quad(at + 14u * threads, quads.o); }
  if (lane_quads > 15u) { stage_quad(at + 15u * threads, quads.p); }
}

fn stage_points(first: u32, slice: u32, lane: u32) {
  for (var at = lane; at < tile_points * slice_quads; at += 16u * threads) {
    stage_quads(at, quads_of(first, slice, at));
  }
}

// What is known of the points that a lane labels, at most four, asked for long before.
struct Known { homes: vec4u, norms: vec4f }

fn known_of(first: u32, lane: u32) -> Known {
  let rows = vec4u(lane, lane + threads, lane + 2u * threads, lane + 3u * threads);
  let at = task.first + min(vec4u(first) + rows, vec4u(task.count - 1u));
  var known = Known(vec4u(), vec4f());
  if (accumulate()) {
    known.homes.x = homes[at.x];
    if (label_turns > 1u) { known.homes.y = homes[at.y]; }
    if (label_turns > 2u) { known.homes.z = homes[at.z]; }
    if (label_turns > 3u) { known.homes.w = homes[at.w]; }
  }
  if (by_scores) {
    known.norms.x = norms[at.x];
    if (label_turns > 1u) { known.norms.y = norms[at.y]; }
    if (label_turns > 2u) { known.norms.z = norms[at.z]; }
    if (label_turns > 3u) { known.norms.w = norms[at.w]; }
  }
  return known;
}

fn stage_centroids(cluster_tile: u32, slice: u32, lane: u32) {
  let tile_from = cluster_tile * image_rows * tile_vectors;
  let rows_from = tile_from + (1u + slice * 4u * slice_quads) * tile_vectors;
  for (var at = lane; at < staged_rows * tile_vectors; at += threads) {
    staged[at] = image[rows_from + at];
  }
  if (slice == 0u) {
    for (var at = lane; at < tile_vectors; at += threads) {
      starts[at] = image[tile_from + at];
    }
  }
}

// Sums of a tile of points with a tile of clusters.
fn sums_of(
  first: u32,
  next: u32,
  held: ptr<function, Quads>,
  cluster_tile: u32,
  column: u32,
  row: u32,
  lane: u32,
) -> Sums {
  var sums = Sums();
  for (var slice = 0u; slice < slices; slice++) {
    let brings_points = slices > 1u || cluster_tile == 0u;
    if (brings_points || !keeps_centroids) {
      workgroupBarrier();
      if (brings_points && reads_ahead) {
        stage_quads(lane, *held);
      } else if (brings_points) {
        stage_points(first, slice, lane);
      }
      if (!keeps_centroids) {
        stage_centroids(cluster_tile, slice, lane);
      }
      workgroupBarrier();
    }
    if (slice == 0u) {
      sums = begun(column);
    }
    if (brings_points && reads_ahead) {
      let is_last = slices == 1u || cluster_tile + 1u == cluster_tiles;
      let begins = slice + 1u == slices;
      *held = quads_of(select(first, next, is_last && begins), select(slice + 1u, 0u, begins), lane);
    }
    let rows_at = select(0u, slice * 4u * slice_quads * tile_vectors, keeps_centroids);
    add_slice(&sums, row, rows_at + column);
  }
  return sums;
}

// Which tile of points is next: workgroups take them as they come. In the first lane alone.
fn take_tile(lane: u32) -> u32 {
  if (lane == 0u) {
    return atomicAdd(&kept[next_at], 1u);
  }
  return 0u;
}

// What all lanes are told: the next tile of points, and how many points the lists hold.
struct News { tile: u32, open: u32, moved: u32 }
var<workgroup> news: News;

fn told(taken: u32, lane: u32) -> News {
  if (lane == 0u) {
    news = News(taken, atomicLoad(&open_total), atomicLoad(&moved_total));
  }
  return workgroupUniformLoad(&news);
}

@compute @workgroup_size(threads)
fn staged_points(@builtin(local_invocation_index) lane: u32) {
  var first = told(take_tile(lane), lane).tile * tile_points;
  if (first >= task.count) {
    return;
  }
  if (lane == 0u) {
    longest = bitcast<f32>(atomicLoad(&kept[longest_at]));
  }
  if (keeps_centroids) {
    stage_centroids(0u, 0u, lane);
  }
  var next = first;
  var held = Quads();
  if (reads_ahead) {
    next = told(take_tile(lane), lane).tile * tile_points;
    held = quads_of(first, 0u, lane);
  }
  let column = lane % columns;
  // Lanes without a row look on.
  let row = min(lane / columns, lane_rows - 1u);
  var added = 0u;
  while (first < task.count) {
    let taken = take_tile(lane);
    let known = known_of(first, lane);
    var standing = nothing_stands();
    for (var cluster_tile = 0u; cluster_tile < cluster_tiles; cluster_tile++) {
      let sums = sums_of(first, next, &held, cluster_tile, column, row, lane);
      stand(&standing, sums, cluster_tile);
    }
    // Afterwards all have read the tile: results take its place.
    let now = told(taken, lane);
    make_room(now, lane);
    if (lane < columns * lane_rows) {
      tell_results(standing, row, column);
    }
    workgroupBarrier();
    label_tile(first, known, lane);
    added += tile_points;
    if (added > max_added) {
      add_all(lane);
      added = 0u;
    }
    first = select(now.tile * tile_points, next, reads_ahead);
    next = now.tile * tile_points;
  }
  add_all(lane);
  report_changes(lane);
}
