/** A column gives way by this share before one that would be cut goes out of sight. */
const tolerance = 0.1

/**
 * Pixels of each of some columns of one width: where not all are in sight, those that are stand there whole and fill the room.
 * @param room pixels beside the frozen columns
 * @param each what a column takes
 */
export function wholeColumns(room: number, each: number, count: number): number {
  if (room <= 0 || each * count <= room) return each
  return Math.floor(room / Math.max(1, Math.floor(room / each + tolerance)))
}
