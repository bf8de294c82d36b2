import { describe, expect, it } from 'vitest'
import { comparisonDocument, scalingDocument } from '../testing/document'
import { ratioDocument } from '../testing/ratio-document'
import { figuresOf } from '.'
import { logAxis } from './log-axis'

const baseline = 'cpu/sequential'

/** x of the values beside the dots of a figure, in the order of its rows. */
function values(svg: string): number[] {
  return [...svg.matchAll(/<text x="([\d.]+)"[^>]*>[\d.]+ ms</g)].map(([, x]) => Number(x))
}

describe('plots of the report', () => {
  it('have a value for each time that counts, the faster to the left, and a word for each that does not', () => {
    const [figure] = figuresOf(comparisonDocument(), baseline).times
    const [sequential, fused, device] = values(figure.svg)
    expect(values(figure.svg)).toHaveLength(13)
    expect(device).toBeLessThan(fused)
    expect(fused).toBeLessThan(sequential)
    for (const word of ['failed', 'disagrees', 'skipped', '9.520 ms'])
      expect(figure.svg).toContain(`>${word}<`)
  })

  it('have a hollow mark for each time and speed-up that a study published, and one word for all', () => {
    const { times, speedups, scaling } = figuresOf(comparisonDocument(), baseline)
    const hollow = (svg: string) => [...svg.matchAll(/style="fill:var\(--ground[^"]*;stroke:#/g)]
    expect(hollow(times[0].svg)).toHaveLength(2)
    // The baseline, whose own the study prints, too, is the line at 1.
    expect(hollow(speedups[0].svg)).toHaveLength(1)
    for (const { svg } of [times[0], speedups[0]]) expect(svg.match(/>published</g)).toHaveLength(1)
    expect(scaling.map(({ svg }) => hollow(svg).length)).toEqual([2, 0])
    const document = comparisonDocument()
    const without = { ...document, suite: { ...document.suite, publication: null } }
    expect(figuresOf(without, baseline).times[0].svg).not.toContain('>published<')
  })

  it('ring the sizes at which the fastest contender changes, and no others', () => {
    const [figure] = figuresOf(scalingDocument(), baseline).scaling
    const rings = [...figure.svg.matchAll(/<circle [^>]*r="7"/g)]
    // sequential to fused at 1 137, fused to the device at 100 000; the device passes others that are not the fastest.
    expect(rings).toHaveLength(2)
    expect(figure.title).toBe('Execution time over N: uniform data, d = 2, k = 5')
  })

  it('ring nothing where three repeats decide no place', () => {
    const document = scalingDocument()
    const rows = document.rows.map((row) => ({ ...row, totalsMs: row.totalsMs.slice(0, 3) }))
    const [figure] = figuresOf({ ...document, rows }, baseline).scaling
    expect(figure.svg).not.toMatch(/<circle [^>]*r="7"/)
  })

  it('show phases as parts of one whole, the rest of the total included', () => {
    const [figure] = figuresOf(scalingDocument(), baseline).phases
    const bar = [...figure.svg.matchAll(/<rect x="([\d.]+)" y="67" width="([\d.]+)"/g)]
    const widths = bar.map(([, , width]) => Number(width) + 1)
    const whole = widths.reduce((sum, width) => sum + width, 0)
    expect(widths).toHaveLength(7)
    expect(widths[2] / whole).toBeCloseTo(0.6, 2)
    expect(figure.svg).toContain('>other<')
  })

  it('have both marks for each published ratio, the measured filled and the published hollow, and name them', () => {
    const [figure] = figuresOf(ratioDocument({ webgpu: [[1, 4], [1, 2]] }), baseline).ratios // prettier-ignore
    const circles = [...figure.svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" [^>]*style="fill:(var|#)/g)]
    const hollow = circles.filter(([, , , fill]) => fill === 'var')
    const filled = circles.filter(([, , , fill]) => fill === '#')
    // Three pairs; two datasets; an entry of each in the legend.
    expect(hollow).toHaveLength(3 + 1)
    expect(filled).toHaveLength(3 + 2 + 1)
    expect(figure.svg).toContain('>published<')
    expect(figure.svg).toContain('>data 0<')
    expect(figure.title).toContain('stands in for CUDA')
    // The largest: 4 measured lies above 3.5 published.
    const heights = (of: typeof circles) => of.map(([, , cy]) => Number(cy)).sort((a, b) => a - b)
    expect(heights(filled)[1]).toBeLessThan(heights(hollow)[1])
  })

  it('escape the names in them', () => {
    const text = JSON.stringify(comparisonDocument()).replaceAll('iris.csv', '<b onload=1>&')
    const { times } = figuresOf(JSON.parse(text) as ReturnType<typeof comparisonDocument>, baseline)
    expect(times[0].svg).toContain('&lt;b onload=1&gt;&amp;: N = 150')
    expect(times[0].svg).not.toContain('<b')
  })
})

it('a logarithmic axis keeps ratios, and its ticks lie inside', () => {
  const { at, ticks } = logAxis([3, 4000], [100, 500])
  expect(at(10) - at(1)).toBeCloseTo(at(1000) - at(100), 9)
  expect(ticks).toEqual([10, 100, 1000])
  expect(ticks.every((tick) => at(tick) >= 100 && at(tick) <= 500)).toBe(true)
})
