/** An order in which rows that are alike stand side by side: average linkage, leaves turned towards each other. */

/** A group of rows in the order they will stand in. */
interface Group {
  readonly leaves: readonly number[]
}

const distanceOf = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0)

/** Mean distance of the rows of a merged group to another, from those of its two parts. */
const merged = (a: number, sizeA: number, b: number, sizeB: number): number =>
  (sizeA * a + sizeB * b) / (sizeA + sizeB)

/** The ends that meet are those nearest to each other. */
function joined(a: Group, b: Group, distances: readonly (readonly number[])[]): Group {
  const turned = (group: Group): readonly number[] => [...group.leaves].reverse()
  const ways = [a.leaves, turned(a)].flatMap((left) =>
    [b.leaves, turned(b)].map((right) => ({ left, right })),
  )
  const gap = ({ left, right }: (typeof ways)[number]): number =>
    distances[left.at(-1) ?? 0]?.[right[0] ?? 0] ?? 0
  const best = ways.reduce((least, way) => (gap(way) < gap(least) ? way : least))
  return { leaves: [...best.left, ...best.right] }
}

/** The two groups nearest to each other; the first of equals. */
function nearestPair(between: readonly (readonly number[])[], alive: readonly number[]): [number, number] {
  let [pair, least]: [[number, number], number] = [[alive[0] ?? 0, alive[1] ?? 0], Infinity]
  for (const [at, a] of alive.entries())
    for (const b of alive.slice(at + 1)) {
      const far = between[a]?.[b] ?? Infinity
      if (far < least) [pair, least] = [[a, b], far]
    }
  return pair
}

/**
 * Indices of rows so that similar ones are neighbours. Meant for a picture: cubic in the number of rows, up to about a hundred.
 * @param rows (n, m) values on a common scale; NaN counts as 0
 */
export function similarityOrder(rows: readonly (readonly number[])[]): readonly number[] {
  const known = rows.map((row) => row.map((value) => (Number.isFinite(value) ? value : 0)))
  const distances = known.map((a) => known.map((b) => distanceOf(a, b)))
  const between = distances.map((row) => [...row])
  const groups: Group[] = rows.map((_, at) => ({ leaves: [at] }))
  let alive = rows.map((_, at) => at)
  while (alive.length > 1) {
    const [a, b] = nearestPair(between, alive)
    const [first, second] = [groups[a] ?? { leaves: [] }, groups[b] ?? { leaves: [] }]
    alive = alive.filter((group) => group !== b)
    for (const other of alive) {
      const far = merged(
        between[a]?.[other] ?? 0,
        first.leaves.length,
        between[b]?.[other] ?? 0,
        second.leaves.length,
      )
      if (between[a] && between[other]) between[a][other] = between[other][a] = far
    }
    groups[a] = joined(first, second, distances)
  }
  return groups[alive[0] ?? 0]?.leaves ?? []
}
