// Every operation of float64.wgsl on pairs of bits, for its test.

@group(0) @binding(0) var<storage, read> pairs: array<vec4u>;
// sum, product; of the low words as float32: difference, its square.
@group(0) @binding(1) var<storage, read_write> answers: array<vec4u>;

@compute @workgroup_size(64)
fn calculate(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= arrayLength(&pairs)) {
    return;
  }
  let a = pairs[at.x].xy;
  let b = pairs[at.x].zw;
  answers[2u * at.x] = vec4u(sum_of(a, b), product_of(a, b));
  answers[2u * at.x + 1u] = vec4u(difference_of(a.x, b.x), squared_difference_of(a.x, b.x));
}
