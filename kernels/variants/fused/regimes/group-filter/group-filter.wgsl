// Clusters stand in their own order.
fn name_of(position: u32) -> u32 {
  return position;
}
