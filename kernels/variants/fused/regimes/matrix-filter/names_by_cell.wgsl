// Clusters stand in the order of the cells they lie in: tiles hold close neighbours, and most are
// far from a cell.
@group(0) @binding(10) var<storage, read_write> names: array<u32>;

fn name_of(position: u32) -> u32 {
  return names[position];
}
