import { describe, expect, it } from 'vitest'
import { contenderColour, contenderLook } from '@shared/benchmark/contender-look'
import { rgbOfHex } from '../colours'

function contrast(a: string, b: string): number {
  const light = (hex: string): number => {
    const linear = rgbOfHex(hex).map((byte) =>
      byte > 10 ? ((byte / 255 + 0.055) / 1.055) ** 2.4 : byte / 3294.6,
    )
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0) + 0.05
  }
  return Math.max(light(a), light(b)) / Math.min(light(a), light(b))
}

const cpu = ['sequential', 'fused', 'openmp', 'tbb', 'eigen', 'pruned', 'distance-matrix']
const device = [
  ...['fused', 'pruned', 'thrust', 'global-atomics', 'shared-centroids', 'tree-reduction', 'distance-matrix'],
  ...['sort-reduce', 'hybrid', 'hybrid-parallel', 'partial-sums', 'irregular-reduction'],
]
const teams = {
  cpu: [...cpu, 'made-up'],
  cuda: device,
  webgpu: device,
  outside: ['numpy', 'scikit-learn', 'scipy'],
} as const

/** How far two colours lie apart for the eye: OKLab, Ottosson. */
function farApart(a: string, b: string): number {
  const [one, other] = [a, b].map((hex) => {
    const [red, green, blue] = rgbOfHex(hex).map((byte) =>
      byte > 10 ? ((byte / 255 + 0.055) / 1.055) ** 2.4 : byte / 3294.6,
    ) as [number, number, number]
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ]
  })
  return Math.hypot(...(one ?? []).map((part, at) => part - (other?.[at] ?? 0)))
}

describe('contenders', () => {
  it('keep their colour and shape on any device and in any company', () => {
    expect(contenderLook('cuda:0/fused')).toEqual(contenderLook('cuda/fused'))
  })

  it('are seen on white and on the ground of the dark theme', () => {
    for (const [engine, variants] of Object.entries(teams))
      for (const variant of variants) {
        const colour = contenderColour(`${engine}/${variant}`)
        expect(contrast(colour, '#ffffff'), `${engine}/${variant}`).toBeGreaterThan(3)
        expect(contrast(colour, '#17191c'), `${engine}/${variant}`).toBeGreaterThan(3)
      }
  })

  it('have a colour of their own within an engine, however many there are', () => {
    const least = { cpu: 0.05, cuda: 0.035, webgpu: 0.035, outside: 0.05 } as const
    for (const [engine, variants] of Object.entries({ ...teams, cpu })) {
      const looks = variants.map((variant) => contenderLook(`${engine}/${variant}`))
      for (const [at, one] of looks.entries())
        for (const other of looks.slice(at + 1)) {
          const wanted = least[engine as keyof typeof least] + (one.shape === other.shape ? 0.015 : 0)
          expect(farApart(one.colour, other.colour), `${variants[at]}, ${engine}`).toBeGreaterThan(wanted)
        }
    }
  })

  it('differ by colour or shape, whatever their name', () => {
    const looks = teams.cpu.map((variant) => JSON.stringify(contenderLook(`cpu/${variant}`)))
    expect(new Set(looks).size).toBe(teams.cpu.length)
  })
})
