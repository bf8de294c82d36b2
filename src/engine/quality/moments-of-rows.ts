/** Some values: how many, their mean, and the sum of their squared distances to it. */
export interface Moments {
  readonly count: number
  readonly mean: number
  readonly squares: number
}

export const noValues: Moments = { count: 0, mean: 0, squares: 0 }

/** Both together (Chan, Golub and LeVeque 1979): no digit is lost to a large mean. */
export function merged(a: Moments, b: Moments): Moments {
  if (a.count === 0) return b
  if (b.count === 0) return a
  const count = a.count + b.count
  const difference = b.mean - a.mean
  const mean = a.mean + difference * (b.count / count)
  const squares = a.squares + b.squares + difference * difference * ((a.count * b.count) / count)
  return { count, mean, squares }
}

/** With n - 1; NaN below two values. */
export function variance({ count, squares }: Moments): number {
  return count < 2 ? NaN : squares / (count - 1)
}

/** Of each group the moments of all others. */
export function momentsOfRest(groups: readonly Moments[]): Moments[] {
  const after: Moments[] = new Array<Moments>(groups.length + 1).fill(noValues)
  for (let i = groups.length - 1; i >= 0; i--) after[i] = merged(groups[i], after[i + 1])
  let before = noValues
  return groups.map((group, i) => {
    const rest = merged(before, after[i + 1])
    before = merged(before, group)
    return rest
  })
}
