import { usualPlotLook, type PlotLook } from '@shared/plot-image'
import { describe, expect, it } from 'vitest'
import { inUnit, lookProblem, pixelScale, printSize } from './print-size'
import { withResolution } from './png-resolution'

const look = (change: Partial<PlotLook>): PlotLook => ({ ...usualPlotLook, ...change })
const whole = { colours: true, width: true, height: true } as const

describe('the size of a plot in a paper', () => {
  it('is that which is asked for, with letters as large as asked for', () => {
    const asked = look({ unit: 'cm', width: 16, height: 11, dpi: 300, fontPt: 8 })
    const { width, height, scale } = printSize(asked)
    const pixels = [width, height].map((side) => Math.round(side * pixelScale(scale, asked)))
    expect(pixels).toEqual([Math.round((16 / 2.54) * 300), Math.round((11 / 2.54) * 300)])
    // Letters of 11 pixels of the figure, in points.
    expect(11 * scale * (72 / 96)).toBeCloseTo(8, 10)
  })

  it('is in pixels of the file where it is said in pixels', () => {
    const asked = look({ unit: 'px', width: 1800, height: 1200, dpi: 600 })
    const { width, scale } = printSize(asked)
    expect(Math.round(width * pixelScale(scale, asked))).toBe(1800)
  })

  it('stays the same in the other unit', () => {
    const asked = look({ unit: 'cm', width: 8.5, height: 6, dpi: 300 })
    const there = inUnit(asked, 'px')
    expect([there.width, there.height]).toEqual([1004, 709])
    const back = inUnit(there, 'cm')
    expect(back.width).toBeCloseTo(8.5, 1)
  })

  it('is refused in a sentence where nothing could be drawn', () => {
    expect(lookProblem(look({}), whole)).toBeNull()
    expect(lookProblem(look({ width: NaN }), whole)).toMatch(/above zero/)
    expect(lookProblem(look({ dpi: 5000 }), whole)).toMatch(/between 36 and 1 200/)
    expect(lookProblem(look({ width: 200, dpi: 600 }), whole)).toMatch(/too long/)
    expect(lookProblem(look({ fontPt: 30, width: 5 }), whole)).toMatch(/no room/)
  })
})

it('a PNG says its resolution in pixels a metre, in front of everything else', () => {
  const png = new Uint8Array(60).fill(7)
  const marked = withResolution(png, 300)
  const text = new TextDecoder('latin1').decode(marked.subarray(37, 41))
  const view = new DataView(marked.buffer)
  expect([marked.length, text, view.getUint32(41), view.getUint32(45), marked[49]]).toEqual([
    81,
    'pHYs',
    11_811,
    11_811,
    1,
  ])
  // As zlib's crc32 has it.
  expect(view.getUint32(50)).toBe(0x78a53f76)
})
