import { describe, expect, it } from 'vitest'
import type { PlotTheme } from '../theme'
import { barFigure } from './bar-figure'
import type { Figure, FigureLayer } from './figure'
import { lineFigure } from './line-figure'
import { svgOf } from './svg'
import { linearTicks, roundAxis } from './ticks'

const theme: PlotTheme = {
  ink: 'rgb(29, 33, 37)',
  quietInk: 'rgb(90, 98, 107)',
  grid: 'rgba(29, 33, 37, 0.09)',
  ground: 'rgb(255, 255, 255)',
  accent: 'rgb(21, 96, 184)',
  neutralPoint: 'rgb(138, 146, 155)',
  font: 'system-ui, "Segoe UI", sans-serif',
}

/** A frame of 100 × 100 at 10, 20 whose axes go from 0 to 10. */
function figure(layers: readonly FigureLayer[], change: Partial<Figure> = {}): Figure {
  const axis = { label: 'length, cm', min: 0, max: 10, log: false, ticks: [{ value: 5, label: '5' }] }
  const frame = { left: 10, top: 20, width: 100, height: 100 }
  const panel = { title: '', details: [], overhang: 0, frame, x: axis, y: axis, layers }
  return { title: 'y against x', width: 140, height: 160, theme, panels: [panel], ...change }
}

function parsed(text: string): Document {
  const document = new DOMParser().parseFromString(text, 'image/svg+xml')
  expect(document.querySelector('parsererror')).toBeNull()
  return document
}

const numbers = (element: Element | null, ...names: readonly string[]): number[] =>
  names.map((name) => Number(element?.getAttribute(name)))

describe('a figure as SVG', () => {
  it('puts points where the scale says, in their shape and colour, and leaves out what is out of view', () => {
    const looks = [
      { shape: 'circle', colour: 'rgb(0 114 178)' },
      { shape: 'square', colour: 'rgb(230 159 0)' },
    ] as const
    const [xs, ys] = [
      [2, 10, NaN, 50],
      [4, 10, 1, 5],
    ]
    const layer = { kind: 'points', xs, ys, look: [0, 1, 0, 0], looks, radius: 2 } as const
    const drawn = parsed(svgOf(figure([layer])))
    const circles = [...drawn.querySelectorAll('circle')]
    expect(circles).toHaveLength(1)
    expect(numbers(circles[0] ?? null, 'cx', 'cy', 'r')).toEqual([30, 80, 2])
    expect(circles[0]?.getAttribute('fill')).toBe('#0072b2')
    const square = drawn.querySelector('path[fill="#e69f00"]')
    expect(square?.getAttribute('d')).toBe('M108.22 18.22L111.78 18.22L111.78 21.78L108.22 21.78Z')
  })

  it('clips to the frame, and names its axes and itself', () => {
    const drawn = parsed(svgOf(figure([])))
    expect(drawn.querySelector('title')?.textContent).toBe('y against x')
    expect(numbers(drawn.querySelector('clipPath rect'), 'x', 'y', 'width', 'height')).toEqual([
      10, 20, 100, 100,
    ])
    const texts = [...drawn.querySelectorAll('text')].map(({ textContent }) => textContent)
    expect(texts).toEqual(['y against x', '5', '5', 'length, cm', 'length, cm'])
  })

  it('keeps any name as it is, in a file that stays valid', () => {
    const title = 'a<b & "c" > \u0000\ud800é 簇'
    const drawn = parsed(svgOf(figure([], { title })))
    expect(drawn.querySelector('title')?.textContent).toBe('a<b & "c" > é 簇')
  })

  it('takes the ground of the theme and refers to nothing outside', () => {
    const dark = { ...theme, ground: 'rgb(23, 25, 28)' }
    const text = svgOf(figure([], { theme: dark }))
    expect(parsed(text).querySelector('rect')?.getAttribute('fill')).toBe('#17191c')
    expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<style|@import|url\((?!#)/)
    expect(text).toContain('stroke="#1d2125" stroke-opacity="0.09"')
  })

  it('draws centroids with an outline, a ring and a label', () => {
    const marks = [{ x: 5, y: 5, shape: 'circle', colour: '#d55e00', label: 'setosa' }] as const
    const drawn = parsed(svgOf(figure([{ kind: 'marks', marks, radius: 7, outline: 1.5, ring: 4 }])))
    const outlined = drawn.querySelector('circle[stroke]')
    expect(numbers(outlined, 'cx', 'cy', 'r')).toEqual([60, 70, 7])
    expect(outlined?.getAttribute('stroke')).toBe('#1d2125')
    expect(drawn.querySelector('circle[r="11"]')).not.toBeNull()
    expect([...drawn.querySelectorAll('text')].some(({ textContent }) => textContent === 'setosa')).toBe(true)
  })

  it('breaks a line where a value is missing', () => {
    const line = {
      kind: 'line',
      name: 'restart 1',
      colour: '#000000',
      width: 1,
      opacity: 1,
      dots: 0,
    } as const
    const drawn = parsed(svgOf(figure([{ ...line, xs: [0, 1, 2, 3], ys: [0, NaN, 1, 2] }])))
    expect(drawn.querySelector('path[stroke="#000000"]')?.getAttribute('d')).toBe('M10 120M30 110L40 100')
  })

  it('asks for twice the size on request and draws the same', () => {
    const once = parsed(svgOf(figure([]))).documentElement
    const twice = parsed(svgOf(figure([]), 2)).documentElement
    expect(numbers(twice, 'width', 'height')).toEqual([280, 320])
    expect(twice.getAttribute('viewBox')).toBe('0 0 140 160')
    expect(twice.innerHTML).toBe(once.innerHTML)
  })
})

describe('a line figure', () => {
  const parts = {
    title: 'Inertia',
    xLabel: 'iteration',
    yLabel: 'inertia, units²',
    width: 400,
    height: 200,
    theme,
  }
  const series = [{ name: 'restart 1', colour: '#1560b8', xs: [1, 2, 3], ys: [97, 81, 79] }]

  it('rounds the vertical axis, starts at the first iteration and marks the one shown', () => {
    const [panel] = lineFigure({ ...parts, series, marker: 2 }).panels
    expect([panel?.x.min, panel?.x.max]).toEqual([1, 3])
    expect(panel?.x.ticks.map(({ label }) => label)).toEqual(['1', '2', '3'])
    expect([panel?.y.min, panel?.y.max]).toEqual([75, 100])
    const drawn = parsed(svgOf(lineFigure({ ...parts, series, marker: 2 })))
    const { left = 0, width = 0, top = 0 } = panel?.frame ?? {}
    const marker = drawn.querySelector('[clip-path] > path')
    expect(marker?.getAttribute('d')).toMatch(new RegExp(`^M${left + width / 2} ${top}L`))
  })

  it('leaves zeros out on a logarithmic axis', () => {
    const changed = [{ name: '', colour: '#1560b8', xs: [1, 2, 3], ys: [1000, 10, 0] }]
    const [panel] = lineFigure({ ...parts, series: changed, log: true }).panels
    expect(panel?.y.ticks.map(({ value }) => value)).toContain(100)
    expect(panel?.y.min).toBeGreaterThan(1)
    const drawn = parsed(svgOf(lineFigure({ ...parts, series: changed, log: true })))
    expect(drawn.querySelectorAll('circle')).toHaveLength(2)
  })

  it('stands with one iteration and with none', () => {
    for (const values of [[], [1]]) {
      const only = [{ name: '', colour: '#1560b8', xs: values, ys: values.map(() => 5) }]
      expect(svgOf(lineFigure({ ...parts, series: only }))).not.toContain('NaN')
    }
  })
})

describe('a bar figure', () => {
  it('gives each amount a bar as long as it is', () => {
    const amounts = [
      { name: 'init', amount: 4, says: '4.00 ms' },
      { name: 'iterate', amount: 8, says: '8.00 ms' },
    ]
    const drawn = parsed(svgOf(barFigure({ title: 'Time', xLabel: 'ms', amounts, width: 300, theme })))
    const bars = [...drawn.querySelectorAll('rect[fill="#1560b8"]')]
    const [short = 0, long = 0] = bars.map((bar) => Number(bar.getAttribute('width')))
    expect(long / short).toBeCloseTo(2, 3)
    expect(drawn.documentElement.textContent).toContain('8.00 ms')
  })
})

describe('ticks', () => {
  it('are round, within the range and not more than asked for', () => {
    const values = linearTicks(0.13, 0.94, 5).map(({ value }) => value)
    expect(values).toEqual([0.2, 0.4, 0.6, 0.8])
    expect(linearTicks(1, 4, 9, { whole: true }).map(({ value }) => value)).toEqual([1, 2, 3, 4])
  })

  it('widen a range without width', () => {
    const { min, max } = roundAxis({ label: '', min: 5, max: 5, parts: 4 })
    expect(min).toBeLessThan(5)
    expect(max).toBeGreaterThan(5)
  })
})
