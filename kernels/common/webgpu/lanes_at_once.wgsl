// How many workgroups of 256 lanes run at once: each counts itself in, works for a while, and
// counts itself out.

struct Running { now: atomic<u32>, most: atomic<u32>, unused: atomic<u32> }
@group(0) @binding(0) var<storage, read_write> running: Running;

// Long enough that the device has started all it can take before the first one ends.
const turns = 2048u;

@compute @workgroup_size(256)
fn count_running(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    let now = atomicAdd(&running.now, 1u) + 1u;
    atomicMax(&running.most, now);
  }
  workgroupBarrier();
  var word = lane;
  for (var turn = 0u; turn < turns; turn++) {
    word = word * 747796405u + 2891336453u;
  }
  // So that no compiler leaves the work out.
  if (word == 0u) {
    atomicAdd(&running.unused, 1u);
  }
  workgroupBarrier();
  if (lane == 0u) {
    atomicSub(&running.now, 1u);
  }
}
