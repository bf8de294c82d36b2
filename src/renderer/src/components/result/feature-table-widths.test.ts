import { describe, expect, it } from 'vitest'
import type { ClusterLook, ClusterLooks } from '@/plots/palette'
import { record } from '../../../test/fixtures'
import { featureTableWidths } from './feature-table-widths'

/** Frames of the panel in a window of 900, 1280 and 1920 pixels. */
const frames = [218, 352, 480] as const
const measure = (text: string): number => text.length * 7.5

const thirty = record({
  k: 4,
  d: 30,
  features: Array.from({ length: 30 }, (_, index) => ({ index, name: `mean fractal dimension ${index}` })),
  clusters: Array.from({ length: 4 }, (_, cluster) => ({
    ...{ cluster, size: 129, inertia: 2.505e13 },
    centroid: Array.from({ length: 30 }, (__, j) => 0.002225 * 10 ** (j % 9)),
  })),
})
const widths = (frame: number, looks: ClusterLooks = new Map()) =>
  featureTableWidths(thirty, looks, measure, frame)

describe('the table turned round', () => {
  const name = 'the large flowers of the second summer'
  const looksOf: readonly ClusterLooks[] = [new Map<number, ClusterLook>(), new Map([[1, { name }]])]

  it.each(frames)('has three clusters in sight in %i pixels, also where one has a long name', (frame) => {
    for (const looks of looksOf) {
      const { names, clusters } = widths(frame, looks)
      const three = clusters.slice(0, 3).reduce((sum, each) => sum + each, names)
      expect(three).toBeLessThanOrEqual(frame)
    }
  })

  it('has smaller letters before it cuts names of features, and names above the numbers before there is no room for them', () => {
    expect(frames.map((frame) => widths(frame).compact)).toEqual([true, true, false])
    expect(frames.map((frame) => widths(frame).stacked)).toEqual([true, false, false])
  })

  it.each(frames)(
    'is widened by the name of a cluster in its own column alone, and not by all of it',
    (frame) => {
      const [plain, named] = looksOf.map((looks) => widths(frame, looks).clusters)
      expect(named?.filter((_, i) => i !== 1)).toEqual(plain?.filter((_, i) => i !== 1))
      expect(named?.[1]).toBeLessThanOrEqual(128)
    },
  )
})
