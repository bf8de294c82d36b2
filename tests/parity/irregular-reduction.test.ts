import { describe, expect, it } from 'vitest'
import { findContenders, withSession } from './contenders'
import { checkSteps } from './check-step'
import { randomPoints, spreadRows, unitPoints } from './fixtures'

const { found } = await findContenders()
const never = new AbortController().signal

/** The worked example of Dhanasekaran & Rubin: values, and the clusters they belong to. */
const values = [5, 2, 9, 4, 8, 11, 3, 1]
const clusters = [0, 2, 3, 2, 1, 3, 1, 3]
const sums = [5, 11, 6, 21]

describe.each(found.filter(({ variant }) => variant === 'irregular-reduction'))('$name', (contender) => {
  // Once as printed, then repeated: groups of 256 exactly full, one point over, and several groups.
  it.each([1, 32, 33, 200])('adds up the worked example, %i times over', async (times) => {
    const rows = Array.from({ length: times }, () => values.flatMap((value, i) => [8 * clusters[i], value]))
    const points = unitPoints(Float64Array.from(rows.flat()), times * values.length, 2)
    const scale = points.x[1] / values[0]
    const middle = Float32Array.from({ length: 8 }, (_, at) => (at % 2 ? 6 : 4 * at) * scale)
    await withSession(contender, points, { k: 4 }, async (session) => {
      await session.start(middle)
      const [stats] = await session.advance({ iterations: 1, milliseconds: 60_000 }, never)
      const means = stats.centroids ?? new Float32Array()
      const members = sums.map((_, cluster) => clusters.filter((of) => of === cluster).length)
      const found = members.map((count, cluster) => (means[2 * cluster + 1] / scale) * count)
      found.forEach((sum, cluster) => expect(sum).toBeCloseTo(sums[cluster], 4))
    })
  })

  it('gathers more clusters than a group has counters for', () => {
    const points = randomPoints({ n: 3001, d: 3, seed: 18 })
    return checkSteps(contender, {
      points,
      k: 2500,
      centroids: spreadRows(points, 2500),
      steps: 2,
    })
  })
})
