// Tiles of points and of centroids in workgroup memory, four points by four or eight clusters
// a lane in registers. Each point is read once where its centroids fit into one tile.
// Follows centroid_image.wgsl; ranked_clusters.wgsl, open_points.wgsl and kept_sums.wgsl follow.
// Nothing but memory is indexed by a value that is not constant: drivers keep such variables out of
// registers.

const lane_points = 4u;
override threads: u32 = 64u;
// Lanes below each other, each of which has four points of a tile.
override lane_rows: u32 = 64u;
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
// Vectors of four features from one slice to the next in workgroup memory.
override slice_step: u32 = select(0u, slice_quads, keeps_centroids);
override staged_rows: u32 = select(4u * slice_quads, padded_features, keeps_centroids);
// Between the results of two rows of lanes.
override result_stride: u32 = columns | 1u;
override result_pairs: u32 = (lane_points / 2u) * lane_rows * result_stride;
// Slices of a block of distances.
override block_slices: u32 = 1u;

@group(0) @binding(9) var<storage, read_write> image: array<vec4f>;
@group(0) @binding(10) var<storage, read_write> homes: array<u32>;
@group(0) @binding(7) var<storage, read_write> norms: array<f32>;

// Points of a slice, [point][four features].
var<workgroup> tile: array<vec4f, tile_points * stride>;
// [feature][four clusters], and their half norms.
var<workgroup> staged: array<vec4f, staged_rows * tile_vectors>;
var<workgroup> starts: array<vec4f, tile_vectors>;
// The greatest squared length of a centroid.
var<workgroup> longest: f32;

// Of four points and eight clusters of the lane: four clusters a vector.
struct Sums {
  a: vec4f, b: vec4f, c: vec4f, d: vec4f,
  a2: vec4f, b2: vec4f, c2: vec4f, d2: vec4f,
}

fn term(x: f32, centroid: vec4f, sum: vec4f) -> vec4f {
  if (by_scores) {
    return fma(vec4f(x), centroid, sum);
  }
  let difference = vec4f(x) + centroid;
  return fma(difference, difference, sum);
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
  return Sums(front, front, front, front, back, back, back, back);
}

// Distances so far with those of another block of features; scores are one block.
fn with_block(blocks: Sums, sums: Sums) -> Sums {
  if (by_scores) {
    return sums;
  }
  return Sums(
    blocks.a + sums.a,
    blocks.b + sums.b,
    blocks.c + sums.c,
    blocks.d + sums.d,
    blocks.a2 + sums.a2,
    blocks.b2 + sums.b2,
    blocks.c2 + sums.c2,
    blocks.d2 + sums.d2,
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

fn news_for(taken: u32, lane: u32) -> News {
  if (lane == 0u) {
    news = News(taken, atomicLoad(&open_total), atomicLoad(&moved_total));
  }
  return workgroupUniformLoad(&news);
}

@compute @workgroup_size(threads)
fn staged_points(@builtin(local_invocation_index) lane: u32) {
  var first = news_for(take_tile(lane), lane).tile * tile_points;
  if (first >= task.count) {
    return;
  }
  if (lane == 0u) {
    longest = bitcast<f32>(atomicLoad(&kept[longest_now()]));
  }
  if (keeps_centroids) {
    stage_centroids(0u, 0u, lane);
  }
  var next = first;
  var held = Quads();
  if (reads_ahead) {
    next = news_for(take_tile(lane), lane).tile * tile_points;
    held = quads_of(first, 0u, lane);
  }
  while (first < task.count) {
    let taken = take_tile(lane);
    let known = known_of(first, lane);
    var standing = nothing_stands();
    for (var cluster_tile = 0u; cluster_tile < cluster_tiles; cluster_tile++) {
      var sums = Sums();
      var blocks = Sums();
      for (var slice = 0u; slice < slices; slice++) {
        let brings_points = slices > 1u || cluster_tile == 0u;
        if (brings_points || !keeps_centroids) {
          // All have read the slice before; before the first one `news_for` waits.
          if (slice > 0u || cluster_tile > 0u) {
            workgroupBarrier();
          }
          if (brings_points && reads_ahead) {
            stage_quads(lane, held);
          } else if (brings_points) {
            stage_points(first, slice, lane);
          }
          if (!keeps_centroids) {
            stage_centroids(cluster_tile, slice, lane);
          }
          workgroupBarrier();
        }
        if (slice == 0u) {
          sums = begun(lane % columns);
        }
        if (brings_points && reads_ahead) {
          let is_last = slices == 1u || cluster_tile + 1u == cluster_tiles;
          let begins = slice + 1u == slices;
          held = quads_of(select(first, next, is_last && begins), select(slice + 1u, 0u, begins), lane);
        }
        for (var quad = 0u; quad < slice_quads; quad++) {
          let xa = tile[lane / columns * stride + quad];
          let xb = tile[lane / columns * stride + quad + lane_rows * stride];
          let xc = tile[lane / columns * stride + quad + 2u * lane_rows * stride];
          let xd = tile[lane / columns * stride + quad + 3u * lane_rows * stride];
          let front_x = staged[((slice * slice_step + quad) * 4u + 0u) * tile_vectors + lane % columns];
          sums.a = term(xa.x, front_x, sums.a);
          sums.b = term(xb.x, front_x, sums.b);
          sums.c = term(xc.x, front_x, sums.c);
          sums.d = term(xd.x, front_x, sums.d);
          if (vectors > 1u) {
            let back_x = staged[((slice * slice_step + quad) * 4u + 0u) * tile_vectors + columns + lane % columns];
            sums.a2 = term(xa.x, back_x, sums.a2);
            sums.b2 = term(xb.x, back_x, sums.b2);
            sums.c2 = term(xc.x, back_x, sums.c2);
            sums.d2 = term(xd.x, back_x, sums.d2);
          }
          let front_y = staged[((slice * slice_step + quad) * 4u + 1u) * tile_vectors + lane % columns];
          sums.a = term(xa.y, front_y, sums.a);
          sums.b = term(xb.y, front_y, sums.b);
          sums.c = term(xc.y, front_y, sums.c);
          sums.d = term(xd.y, front_y, sums.d);
          if (vectors > 1u) {
            let back_y = staged[((slice * slice_step + quad) * 4u + 1u) * tile_vectors + columns + lane % columns];
            sums.a2 = term(xa.y, back_y, sums.a2);
            sums.b2 = term(xb.y, back_y, sums.b2);
            sums.c2 = term(xc.y, back_y, sums.c2);
            sums.d2 = term(xd.y, back_y, sums.d2);
          }
          let front_z = staged[((slice * slice_step + quad) * 4u + 2u) * tile_vectors + lane % columns];
          sums.a = term(xa.z, front_z, sums.a);
          sums.b = term(xb.z, front_z, sums.b);
          sums.c = term(xc.z, front_z, sums.c);
          sums.d = term(xd.z, front_z, sums.d);
          if (vectors > 1u) {
            let back_z = staged[((slice * slice_step + quad) * 4u + 2u) * tile_vectors + columns + lane % columns];
            sums.a2 = term(xa.z, back_z, sums.a2);
            sums.b2 = term(xb.z, back_z, sums.b2);
            sums.c2 = term(xc.z, back_z, sums.c2);
            sums.d2 = term(xd.z, back_z, sums.d2);
          }
          let front_w = staged[((slice * slice_step + quad) * 4u + 3u) * tile_vectors + lane % columns];
          sums.a = term(xa.w, front_w, sums.a);
          sums.b = term(xb.w, front_w, sums.b);
          sums.c = term(xc.w, front_w, sums.c);
          sums.d = term(xd.w, front_w, sums.d);
          if (vectors > 1u) {
            let back_w = staged[((slice * slice_step + quad) * 4u + 3u) * tile_vectors + columns + lane % columns];
            sums.a2 = term(xa.w, back_w, sums.a2);
            sums.b2 = term(xb.w, back_w, sums.b2);
            sums.c2 = term(xc.w, back_w, sums.c2);
            sums.d2 = term(xd.w, back_w, sums.d2);
          }
        }
        if (!by_scores && (slice + 1u) % block_slices == 0u) {
          blocks = with_block(blocks, sums);
          sums = Sums();
        }
      }
      stand(&standing, with_block(blocks, sums), cluster_tile);
    }
    store_results(standing, lane / columns, lane % columns);
    let now = news_for(taken, lane);
    make_room(now, lane);
    label_tile(first, known, lane);
    first = select(now.tile * tile_points, next, reads_ahead);
    next = now.tile * tile_points;
  }
  add_all(lane);
  report_changes(lane);
}
