import { describe, expect, it } from 'vitest'
import { contenderLook } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { ratioPlots } from '@shared/benchmark/ratio-plot'
import { ratioDocument } from '@shared/benchmark/testing/ratio-document'
import { scalingDocument } from '@shared/benchmark/testing/document'
import { limitedDocument } from '@shared/benchmark/testing/limited-document'
import { spread } from '../figure/beside'
import { svgOf } from '../figure/svg'
import { zoomedPanel } from '../figure/zoomed'
import { type Group } from './groups'
import { iterationsPlot } from './iterations-plot'
import { phaseRows, phasesPlot } from './phases-plot'
import { bareFigure, fileFigure, type BenchmarkPlot } from './plot'
import { ratiosPlot } from './ratios-plot'
import { growthOf, markedCrossings } from './scaling'
import { scalingPlot } from './scaling-plot'
import { speedupGroups } from './speedup-rows'
import { speedupsPlot } from './speedups-plot'
import { speedupsOf } from '@shared/benchmark/speedups'
import { sweepsOf } from './statistics'
import { timeRows } from './times'
import { timesPlot } from './times-plot'
import { comparison, group, layersOf, repeated, theme, wordsOf } from './testing/plot-parts'

const baseline = 'cpu/sequential'

describe('execution times', () => {
  const uniform = group('uniform 100k', 5)

  it('are sorted by their median, fastest first', () => {
    expect(timeRows(comparison, uniform).map(({ contender }) => contender)).toEqual([
      'cuda:0/global-atomics',
      'cpu/fused',
      'cpu/sequential',
      'outside/numpy',
    ])
  })

  it('have whiskers from minimum to maximum and a dot for each run', () => {
    const plot = timesPlot(comparison, uniform)
    const fused = comparison.rows.find(({ contender }) => contender === 'cpu/fused')?.totalsMs ?? []
    const intervals = layersOf(plot, 'line').filter(({ name }) => name === 'minimum to maximum')
    const { colour } = contenderLook('cpu/fused')
    expect([...(intervals.find((line) => line.colour === colour)?.xs as number[])]).toEqual(
      expect.arrayContaining([Math.min(...fused), Math.max(...fused)]),
    )
    // A length from the edge would mean nothing on a logarithmic axis.
    expect(layersOf(plot, 'bars')).toEqual([])
    const [dots] = layersOf(plot, 'points')
    expect(dots?.xs).toHaveLength(4 * 5)
  })

  it('have the number of the median at its mark, above it, within the frame', () => {
    const plot = timesPlot(comparison, uniform)
    if (!plot) throw new Error('no plot')
    const { x, layers } = plot.body({ width: 720, height: plot.height(720) }, theme)
    const numbers = layers
      .flatMap((layer) => (layer.kind === 'texts' ? layer.texts : []))
      .filter(({ text }) => !text.includes('published'))
    const marks = layersOf(plot, 'marks').flatMap((layer) => layer.marks)
    expect(numbers.map((number) => number.x)).toEqual(marks.map((mark) => mark.x))
    expect(new Set(marks.map(({ shape, colour }) => `${shape} ${colour}`)).size).toBe(marks.length)
    for (const [at, { y, dy, anchor }] of numbers.entries()) {
      expect(anchor).toBe('middle')
      // Half of the letters' height is free between the number and its mark.
      expect(y - dy - 5).toBeGreaterThan((marks[at]?.y ?? 0) + 5)
      expect(y - dy + 7).toBeLessThanOrEqual(plot.height(720))
    }
    expect(x.max).toBeGreaterThan(Math.max(...marks.map((mark) => mark.x)))
  })

  it('show what does not count without a mark, its interval in the error colour, and say so', () => {
    const plot = timesPlot(comparison, group('iris.csv', 3))
    const intervals = layersOf(plot, 'line').filter(({ name }) => name === 'minimum to maximum')
    const marks = layersOf(plot, 'marks').flatMap((layer) => layer.marks)
    expect(intervals.filter(({ colour }) => colour === theme.error)).toHaveLength(1)
    expect(marks).toHaveLength(intervals.length - 1)
    expect(wordsOf(plot).filter((text) => text.endsWith(', disagrees'))).toHaveLength(1)
    expect(plot?.remarks).toContain(
      'cuda:0 Global atomics disagrees with the reference: 12 of 150 labels are not the nearest.',
    )
  })

  it('stand beside those of a study, whatever device it ran on', () => {
    const words = wordsOf(timesPlot(comparison, uniform))
    expect(words).toContain('CUDA 1, published: 8.10 ms')
    expect(words).toContain('C++, published: 412 ms')
  })

  it('keep a row for what only a study has timed', () => {
    const alone: BenchmarkDocument = {
      ...comparison,
      rows: comparison.rows.filter(({ engine }) => engine !== 'cuda'),
    }
    expect(timeRows(alone, uniform).at(-1)).toMatchObject({ contender: 'cuda/global-atomics', time: null })
  })

  it('name the fastest only where the repeats decide it', () => {
    const said = (document: BenchmarkDocument) => timesPlot(document, uniform)?.summary
    expect(said(comparison)).toBe(
      'cuda:0 Global atomics is fastest with 1.92 ms; NumPy takes 310 ms, 161 times as long.',
    )
    expect(said(repeated(comparison, 3))).toMatch(
      /^Which contender is fastest is inconclusive: cuda:0 Global atomics takes .*; NumPy takes .*, an inconclusive difference\.$/,
    )
  })

  it('are not compared where one made other numbers of iterations', () => {
    const rows = comparison.rows.map((row) => (row.engine === null ? { ...row, iterations: 300 } : row))
    expect(timesPlot({ ...comparison, rows }, uniform)?.summary).toBe(
      'cuda:0 Global atomics has the least median, 1.92 ms for 20 iterations; NumPy takes 310 ms, with 300 iterations instead of 20: compare the times per iteration.',
    )
  })

  it('are no plot while nothing is timed', () => {
    expect(timesPlot({ ...comparison, rows: [] }, group('iris.csv', 6))).toBeNull()
  })
})

describe('speed-ups', () => {
  const speedups = speedupsOf(comparison, baseline)

  it('are those that count, without the baseline itself', () => {
    const [iris] = speedupGroups([group('iris.csv', 3)], speedups)
    expect(iris?.speedups.map(({ row }) => row.contender)).toEqual(['cpu/fused', 'outside/numpy'])
  })

  it('have a line at one and a heading for each dataset and k', () => {
    const plot = speedupsPlot(comparison, speedups, baseline)
    expect(layersOf(plot, 'marker')).toMatchObject([{ axis: 'x', at: 1 }])
    expect(wordsOf(plot).filter((text) => text.includes('k = '))).toHaveLength(4)
    expect(plot?.remarks).toContain('NumPy has no speed-up: python3 has no numpy here.')
  })

  it('say once of a contender why it has none, and go on in small letters behind a colon', () => {
    const rows = comparison.rows.map((row) =>
      row.contender === 'outside/numpy' ? { ...row, iterations: 100 + row.k } : row,
    )
    const remarks = (document: BenchmarkDocument) =>
      speedupsPlot(document, speedupsOf(document, baseline), baseline)?.remarks ?? []
    const ofNumpy = remarks({ ...comparison, rows }).filter((remark) => remark.startsWith('NumPy'))
    expect(ofNumpy).toEqual([
      expect.stringMatching(
        /^NumPy has no speed-up where it made another .*k = 5: 105 instead of 20; .*k = 10/,
      ),
      'NumPy has no speed-up: python3 has no numpy here.',
    ])
    expect(remarks(comparison)).toContain('cuda:0 Global atomics has no speed-up: the device was lost.')
  })

  it('are claimed only where the repeats decide them, else marked and said to be open', () => {
    const [iris] = [group('iris.csv', 3)]
    const plotOf = (document: BenchmarkDocument) =>
      speedupsPlot(document, speedupsOf(document, baseline), baseline, [iris])
    expect(plotOf(comparison)?.summary).toMatch(/^CPU Fused is .* times as fast as CPU Sequential\.$/)
    expect(plotOf(comparison)?.note).not.toContain('~')
    for (const repeats of [3, 1]) {
      const open = plotOf(repeated(comparison, repeats))
      expect(open?.summary).toBe('CPU Fused over CPU Sequential: inconclusive.')
      expect(open?.note).toContain('~: inconclusive.')
      expect(wordsOf(open).every((text) => /^~.*×$/.test(text))).toBe(true)
      expect(open?.tips[0]?.lines.join()).toContain('inconclusive: ')
    }
  })
})

describe('what a study published', () => {
  const uniform = group('uniform 100k', 5)
  const marks = (plot: BenchmarkPlot | null) => {
    const layers = layersOf(plot, 'points')
    const inner = layers.findIndex(({ looks }) => looks.every(({ colour }) => colour === theme.ground))
    return inner < 1 ? [] : [...(layers[inner]?.xs as number[])].map((x, at) => [x, layers[inner]?.ys[at]])
  }
  const keyOf = (plot: BenchmarkPlot | null) =>
    plot?.body({ width: 720, height: plot.height(720) }, theme).key ?? []

  it('is a hollow mark in the plot of times and of speed-ups, with one entry in the key', () => {
    const times = timesPlot(comparison, uniform)
    expect(marks(times).map(([x]) => x)).toEqual([8.1, 412])
    const speedups = speedupsPlot(comparison, speedupsOf(comparison, baseline), baseline, [uniform])
    const [row] = speedups?.tips ?? []
    expect(marks(speedups)).toEqual([[51, row?.y]])
    expect(row?.lines).toContain('CUDA 1, published: 51.00 times, as printed')
    for (const plot of [times, speedups])
      expect(keyOf(plot).filter(({ label }) => label === 'published')).toMatchObject([{ hollow: true }])
  })

  it('has the number of its row on the other side, so that nobody takes it for its own', () => {
    const numberBeside = (speedup: number) => {
      const { suite } = comparison
      const publication = suite.publication && {
        ...suite.publication,
        times: suite.publication.times.map((time) => ({ ...time, speedup })),
      }
      const document = { ...comparison, suite: { ...suite, publication } }
      const plot = speedupsPlot(document, speedupsOf(document, baseline), baseline, [uniform])
      return layersOf(plot, 'texts').flatMap(({ texts }) => texts)[0]
    }
    expect(numberBeside(70)).toMatchObject({ text: '62.5×', anchor: 'end', dx: -9 })
    for (const far of [30, 6000])
      expect(numberBeside(far)).toMatchObject({ text: '62.5×', anchor: 'start', dx: 9 })
  })

  it('is a hollow mark on the line of a sweep, and is told where the size is another', () => {
    const document = scalingDocument()
    const time = { dataset: 'uniform 10000', k: 5, contender: 'cpu/sequential', system: 'C', speedup: null }
    const publication = { title: '', hardware: '', note: '', times: [{ ...time, ms: 7 }], ratios: [] }
    const scaled = { ...document, suite: { ...document.suite, publication, scale: 0.1 } }
    const [sweep] = sweepsOf(scaled)
    if (!sweep) throw new Error('no sweep')
    const plot = scalingPlot(scaled, sweep, 'scaling-n')
    const [outer] = layersOf(plot, 'points').filter(({ xs }) => xs.length === 1)
    expect([outer?.xs[0], outer?.ys[0]]).toEqual([10_000, 7])
    expect(keyOf(plot).map(({ label }) => label)).toContain('published')
    expect(plot.remarks).toContain('Published times are for the full size; here 0.1 times the points.')
    expect(plot.tips.map(({ title }) => title)).toContain('C, published, N = 10\u202f000')
  })

  it('is read off an axis whose values are said again where it is far below', () => {
    const tall = { ...comparison, suite: { ...comparison.suite } }
    const sameRows = Array.from({ length: 12 }, (_, at) =>
      comparison.rows.map((row) => ({ ...row, dataset: `${row.dataset} ${at}` })),
    ).flat()
    const document = { ...tall, rows: sameRows, plan: sameRows }
    const words = wordsOf(speedupsPlot(document, speedupsOf(document, baseline), baseline))
    expect(words.filter((text) => text === '10').length).toBeGreaterThan(3)
    const few = wordsOf(speedupsPlot(comparison, speedupsOf(comparison, baseline), baseline))
    expect(few).not.toContain('10')
  })
})

describe('speed-ups over a baseline', () => {
  it('say that a system outside the program was given the start that the others looked for', () => {
    const seeded = { ...comparison.suite.config, init: 'k-means++' as const }
    const document = { ...comparison, suite: { ...comparison.suite, config: seeded } }
    const remarks = speedupsPlot(document, speedupsOf(document, baseline), baseline)?.remarks ?? []
    expect(remarks.join(' ')).toContain('NumPy began at the start that was given')
    const plain = speedupsPlot(comparison, speedupsOf(comparison, baseline), baseline)?.remarks ?? []
    expect(plain.join(' ')).not.toContain('began at')
  })
})

describe('phases', () => {
  const uniform = group('uniform 100k', 5)

  it('follow one another up to the total, load only when wanted', () => {
    const rows = phaseRows(comparison, group('uniform 100k', 5), { measure: 'time', load: false })
    const sequential = rows.find(({ contender }) => contender === baseline)
    expect(sequential?.segments.map(({ phase }) => phase)).toEqual([
      'upload',
      'init',
      'assign',
      'update',
      'converge',
      'download',
      'other',
    ])
    expect(sequential?.segments.at(-1)?.to).toBeCloseTo(sequential?.totalMs ?? 0, 9)
    const [loaded] = phaseRows(comparison, group('uniform 100k', 5), { measure: 'share', load: true })
    expect(loaded?.segments[0]?.phase).toBe('load')
    expect(loaded?.segments.at(-1)?.to).toBeCloseTo(100, 9)
  })

  it('say who has a time and is not among them, and nothing where everybody is', () => {
    const remarks = (workload: Group) =>
      phasesPlot(comparison, workload, { measure: 'time', load: false })?.remarks
    expect(remarks(uniform)?.[0]).toBe(
      'NumPy: not shown: a system outside the program reports the time of a whole run, not of its phases.',
    )
    // There numpy was skipped, which is said in its own words.
    expect(remarks(group('iris.csv', 6))?.join()).not.toContain('not shown')
  })

  it('name only the phases that are there in their key', () => {
    const plot = phasesPlot(comparison, group('uniform 100k', 5), { measure: 'time', load: false })
    const key = plot?.body({ width: 720, height: 100 }, theme).key.map(({ label }) => label)
    expect(key).toContain('iterate')
    expect(key).not.toContain('load')
  })
})

describe('iterations', () => {
  it('are a named line for each contender whose iterations were timed', () => {
    const plot = iterationsPlot(comparison, group('uniform 100k', 5), true)
    expect(layersOf(plot, 'line').map(({ name }) => name)).toEqual([
      'CPU Sequential',
      'CPU Fused',
      'cuda:0 Global atomics',
    ])
    expect(wordsOf(plot)).toContain('CPU Fused')
    expect(plot?.tips[0]?.lines).toHaveLength(3)
  })

  it('say who has a time and no line', () => {
    expect(iterationsPlot(comparison, group('uniform 100k', 5), true)?.remarks).toEqual([
      'NumPy: not shown: a system outside the program reports the time of a whole run, not of single iterations.',
    ])
  })

  it('are told apart at their ends however close they lie', () => {
    const tops = spread([100, 101, 102, 5], 110, 14)
    expect(tops[3]).toBe(5)
    expect(tops.slice(0, 3)).toEqual([82, 96, 110])
  })
})

describe('a sweep of N', () => {
  const document = scalingDocument()
  const [sweep] = sweepsOf(document)
  if (!sweep) throw new Error('no sweep')

  it('tells how the time grows', () => {
    const sequential = sweep.group.series.find(({ contender }) => contender === baseline)
    expect(growthOf(sequential?.points ?? [])?.exponent).toBeCloseTo(1, 6)
  })

  it('marks where one contender overtakes another, and says so below', () => {
    const plot = scalingPlot(document, sweep, 'scaling-n')
    const crossing = markedCrossings(sweep).find(
      ({ above, below }) => above.startsWith('cuda') && below === 'cpu/fused',
    )
    expect(crossing?.at).toBeGreaterThan(90_000)
    expect(crossing?.at).toBeLessThan(110_000)
    const span = layersOf(plot, 'line').find(({ name }) => name === 'interval of the crossover')
    expect([...(span?.xs as number[])]).toEqual(
      expect.arrayContaining([crossing?.interval?.low, crossing?.interval?.high]),
    )
    expect(plot.remarks.some((text) => /^cuda:0 Global atomics overtakes CPU Fused at N ≈/.test(text))).toBe(
      true,
    )
  })

  it('draws no band over a line of another contender', () => {
    const plot = scalingPlot(document, sweep, 'scaling-n')
    const { layers } = plot.body({ width: 720, height: plot.height(720) }, theme)
    const kinds = layers.map(({ kind }) => kind)
    expect(kinds.lastIndexOf('band')).toBeLessThan(kinds.indexOf('line'))
  })

  it('claims no crossover, no fastest from three repeats', () => {
    const [open] = sweepsOf(repeated(document, 3))
    if (!open) throw new Error('no sweep')
    expect(markedCrossings(open)).toEqual([])
    const plot = scalingPlot(document, open, 'scaling-n')
    expect(plot.summary).toMatch(/ the fastest contender is inconclusive; /)
    expect(plot.remarks.length).toBeGreaterThan(0)
    for (const remark of plot.remarks) {
      expect(remark).toMatch(/(; where exactly is inconclusive|is inconclusive)\.$/)
    }
  })

  it('tells how the time grows, with its interval, where four sizes or more lie on a line', () => {
    const ofTimes = (...ms: number[]) => {
      const [one] = sweep.group.series.flatMap(({ points }) => points)
      if (!one) throw new Error('no point')
      const points = ms.map((medianMs, at) => ({ ...one, size: 1000 * 4 ** at, medianMs }))
      const series = sweep.group.series.slice(0, 1).map((other) => ({ ...other, points }))
      return scalingPlot(document, { ...sweep, group: { ...sweep.group, series } }, 'scaling-n')
    }
    const figure = ofTimes(1, 4.1, 15.8, 65)
    expect(figure.summary).toMatch(/growing as N\^1\.00 \(0\.\d\d to 1\.0\d\)/)
    expect(figure.tips.every(({ lines }) => lines.join().includes('N^1.00 (0.'))).toBe(true)
    // Three sizes, and five that lie on no line.
    for (const figure of [ofTimes(1, 4, 16), ofTimes(1, 1.2, 1.1, 2.9, 3)]) {
      expect(figure.summary).not.toContain('growing as')
      expect(figure.tips.some(({ lines }) => lines.join().includes('grows'))).toBe(false)
    }
  })

  it('says that nothing crosses where nothing does', () => {
    const apart = { ...sweep, pairs: sweep.pairs.map((pair) => ({ ...pair, crossings: [] })) }
    expect(scalingPlot(document, apart, 'scaling-n').remarks).toEqual([
      'No contender overtakes another in the range of N measured.',
    ])
  })
})

describe('ratios of a study over the words transferred', () => {
  const document = ratioDocument({ webgpu: [[1, 4], [1, 2]] }) // prettier-ignore
  const [data] = ratioPlots(document)
  if (!data) throw new Error('no ratios')
  const plot = ratiosPlot(document, data, 'transfers')

  it('have a filled and a hollow mark for each pair, beside those of the datasets', () => {
    const [points, measured, rim, ground] = layersOf(plot, 'points')
    expect([...(points?.xs as number[])]).toEqual([1000, 2000])
    expect([...(points?.ys as number[])]).toEqual([4, 2])
    expect([...(measured?.ys as number[])]).toEqual([2, 3, 4])
    expect([...(rim?.ys as number[])]).toEqual([2.6, 3.2, 3.5])
    expect(ground?.looks.every(({ colour }) => colour === theme.ground)).toBe(true)
    const joined = layersOf(plot, 'line').find(({ name }) => name === 'pairs')
    expect([...(joined?.ys as number[])]).toEqual([2, 2.6, NaN, 3, 3.2, NaN, 4, 3.5, NaN])
  })

  it('name the datasets, the line at one and the published marks', () => {
    expect(wordsOf(plot)).toEqual(['data 0', 'data 1'])
    expect(layersOf(plot, 'marker')).toMatchObject([{ axis: 'y', at: 1 }, { axis: 'x' }])
    const { key, x } = plot.body({ width: 720, height: plot.height(720) }, theme)
    expect(key.map(({ label }) => label)).toEqual(['k = 5', 'published'])
    expect(x.ticks.at(-1)?.label).toBe('k = 5')
  })

  it('say in words what their marks show, and who stands in', () => {
    expect(plot.summary).toContain('stands in for CUDA')
    expect(plot.summary).toContain('k = 5: 2 to 4, mean 3 (published 2.6 to 3.5, mean 3.2)')
    expect(plot.remarks.join()).toContain('WebGPU stands in for CUDA')
    expect(plot.tips.map(({ title }) => title)).toEqual([
      'data 0, k = 5: 4.000×',
      'data 1, k = 5: 2.000×',
      'k = 5, smallest over its data',
      'k = 5, mean over its data',
      'k = 5, largest over its data',
    ])
  })

  it('have no words on the axis where the pairs stand, zoomed or not', () => {
    const figure = bareFigure(plot, 720, theme)
    const [panel] = figure.panels
    if (!panel) throw new Error('no panel')
    const zoomed = zoomedPanel(panel, { minX: 0.9, maxX: 1, minY: 0, maxY: 1 })
    expect(zoomed.x.ticks.map(({ label }) => label)).toEqual(['k = 5'])
  })
})

describe('a file of a plot', () => {
  it('is SVG with its title, how to read it and its key', () => {
    const plot = phasesPlot(comparison, group('uniform 100k', 5), { measure: 'time', load: false })
    if (!plot) throw new Error('no plot')
    const text = svgOf(fileFigure(plot, 720, theme))
    const drawn = new DOMParser().parseFromString(text, 'image/svg+xml')
    const words = [...drawn.querySelectorAll('text')].map(({ textContent }) => textContent)
    expect(words).toEqual(expect.arrayContaining([plot.title, plot.note, 'iterate', 'time, ms']))
    expect(drawn.querySelectorAll('image')).toHaveLength(0)
  })
})

describe('times that are scaled from fewer iterations', () => {
  const limited = limitedDocument()
  const first = group('uniform 100k', 5)

  it('are marked beside their bars, in their tips and in the note', () => {
    const plot = timesPlot(limited, first)
    expect(wordsOf(plot)).toContain('≈ 120 ms')
    const tip = plot?.tips.find(({ title }) => title === 'CPU Sequential')
    expect(tip?.lines[0]).toBe('scaled from 5 of 20 iterations')
    expect(plot?.note).toContain('≈: scaled from fewer iterations.')
    expect(timesPlot(limited, group('iris.csv', 3))?.note).not.toContain('≈')
  })

  it('mark speed-ups and phases', () => {
    const speedups = speedupsPlot(limited, speedupsOf(limited), baseline, [first])
    expect(wordsOf(speedups).some((text) => /^≈ ~13×$|^≈ ~12\.\d×$/.test(text))).toBe(true)
    expect(speedups?.tips[0]?.lines).toContain('scaled over 5 of 20 iterations')
    const phases = phasesPlot(limited, first, { measure: 'time', load: false })
    expect(wordsOf(phases).filter((text) => text.startsWith('≈ '))).toHaveLength(1)
    expect(phases?.tips.filter(({ lines }) => lines[0] === 'scaled from 5 of 20 iterations')).toHaveLength(1)
  })

  it('mark the line of a sweep, with the sizes below', () => {
    const sweepDocument = scalingDocument()
    const rows = sweepDocument.rows.map((row) =>
      row.contender === baseline && row.n === 1_000_000
        ? { ...row, scaledFrom: { iterations: 5, totalsMs: row.totalsMs, phases: null } }
        : row,
    )
    const limitedSweep = { ...sweepDocument, rows }
    const [sweep] = sweepsOf(limitedSweep)
    const plot = sweep ? scalingPlot(limitedSweep, sweep, 'sweep') : null
    expect(plot?.remarks[0]).toMatch(
      /^≈ CPU Sequential: times scaled at N = 1.000.000 from 5 of 20 iterations\.$/,
    )
    expect(wordsOf(plot)).toContain('≈ CPU Sequential')
    expect(plot?.tips.filter(({ lines }) => lines[0]?.startsWith('scaled'))).toHaveLength(1)
  })
})
