/** The plots of the window, by name: views register theirs, menus and exports take them from here. */
import type { PlotFormat, PlotLook } from '@shared/plot-image'
import { defineStore } from 'pinia'
import { computed, onScopeDispose, shallowRef, watch } from 'vue'
import { ask } from '@/api'
import type { Figure } from '@/plots/figure/figure'
import type { FigureEntry } from '@/plots/figure/figure-entry'
import { filePainter } from '@/plots/figure/paint-worker'
import { imageOf } from '@/plots/figure/plot-image'
import {
  pixelScale,
  printSize,
  scaleOf,
  type FigureAdjustments,
  type FigureWish,
} from '@/plots/figure/print-size'
import { withColours } from '@/plots/theme'

export const figureNames = ['clusters', 'inertia', 'shift', 'changed', 'steps', 'phases'] as const
export type FigureName = (typeof figureNames)[number]

export interface FigureSource {
  /** File name without extension. */
  readonly name: string
  readonly title: string
  /** What of a wish it can follow; absent: nothing. */
  readonly adjusts?: FigureAdjustments
  /** Whether there are paths of centroids to draw. */
  readonly hasTrails?: () => boolean
  /** The plot as it stands now. */
  figure(wish?: FigureWish): Promise<Figure>
}

export interface RegisteredFigure extends FigureSource {
  readonly name: FigureName
  /** Stands in while no other one of its name is registered: the plot is not on screen. */
  readonly spare?: boolean
  /** Shows something else than the result, such as a folder that was opened: no part of an export of it. */
  readonly foreign?: boolean
}

/** What can be made of a plot; `figure` is asked for each time. */
export function figureEntry({ name, title, figure, adjusts = {}, hasTrails }: FigureSource): FigureEntry {
  /** As a look asks for, and pixels of the file for one of the figure. */
  async function drawn(look: PlotLook): Promise<{ figure: Figure; scale: number }> {
    const { width, height, scale } = printSize(look)
    const { title: titled, legend, trails } = look
    const imageScale = Math.max(1, pixelScale(scale, look))
    const made = await withColours(look.colours, (element) =>
      figure({ width, height, title: titled, legend, trails, element, imageScale }),
    )
    return { figure: made, scale: adjusts.width ? scale : scaleOf(made, look) }
  }

  async function image(format: PlotFormat, look?: PlotLook) {
    if (!look) return imageOf(name, await figure(), format)
    const { figure: made, scale } = await drawn(look)
    return imageOf(name, made, format, { svg: scale, png: pixelScale(scale, look), dpi: look.dpi })
  }

  return {
    name,
    title,
    get adjusts() {
      return { ...adjusts, trails: adjusts.trails === true && hasTrails?.() !== false }
    },
    image,
    async preview(look) {
      const { figure: made, scale } = await drawn(look)
      const pixels = pixelScale(scale, look)
      const [width, height] = [made.width, made.height].map((side) => Math.round(side * pixels))
      return { svg: await filePainter().flatSvg(made, 1), width: width ?? 0, height: height ?? 0 }
    },
    async copy() {
      await ask('app.copy-image', { png: (await image('png')).bytes })
    },
    async save(format, look) {
      return ask('app.save-plot', await image(format, look))
    },
  }
}

type Known = FigureEntry & { readonly foreign: boolean }

export const useFiguresStore = defineStore('figures', () => {
  /** Of several of one name the last one counts. */
  const entries = shallowRef<readonly Known[]>([])

  /** Makes a plot known; the answer takes it back. A name registered again is the newer plot's. */
  function register(registered: RegisteredFigure): () => void {
    const added = Object.assign(figureEntry(registered), { foreign: registered.foreign ?? false })
    entries.value = registered.spare ? [added, ...entries.value] : [...entries.value, added]
    return () => {
      entries.value = entries.value.filter((one) => one !== added)
    }
  }

  const entry = (name: FigureName): FigureEntry | null =>
    entries.value.findLast((one) => one.name === name) ?? null
  /** In a fixed order, whatever the order of registration. */
  const list = computed<readonly FigureEntry[]>(() => figureNames.flatMap((name) => entry(name) ?? []))
  const ofResult = computed<readonly FigureEntry[]>(() =>
    figureNames.flatMap((name) => entries.value.findLast((one) => one.name === name && !one.foreign) ?? []),
  )

  return { list, ofResult, entry, register }
})

/** Registers a plot for as long as the calling component is there, and `available` says that there is one. */
export function useFigure(registered: RegisteredFigure, available: () => boolean = () => true): void {
  const figures = useFiguresStore()
  const nothing = (): void => undefined
  let forget = nothing
  watch(
    available,
    (now) => {
      forget()
      forget = now ? figures.register(registered) : nothing
    },
    { immediate: true },
  )
  onScopeDispose(() => forget())
}
