/** The plots of the window, by name: views register theirs, menus and exports take them from here. */
import type { PlotFormat } from '@shared/plot-image'
import { defineStore } from 'pinia'
import { computed, onScopeDispose, shallowRef, watch } from 'vue'
import { ask } from '@/api'
import type { Figure } from '@/plots/figure/figure'
import type { FigureEntry } from '@/plots/figure/figure-entry'
import { imageOf } from '@/plots/figure/plot-image'

export const figureNames = ['clusters', 'inertia', 'shift', 'changed', 'steps', 'phases'] as const
export type FigureName = (typeof figureNames)[number]

export interface FigureSource {
  /** File name without extension. */
  readonly name: string
  readonly title: string
  /** The plot as it stands now. */
  figure(): Promise<Figure>
}

export interface RegisteredFigure extends FigureSource {
  readonly name: FigureName
  /** Stands in while no other one of its name is registered: the plot is not on screen. */
  readonly spare?: boolean
  /** Shows something else than the result, such as a folder that was opened: no part of an export of it. */
  readonly foreign?: boolean
}

/** What can be made of a plot; `figure` is asked for each time. */
export function figureEntry({ name, title, figure }: FigureSource): FigureEntry {
  const image = async (format: PlotFormat) => imageOf(name, await figure(), format)
  return {
    name,
    title,
    image,
    async copy() {
      await ask('app.copy-image', { png: (await image('png')).bytes })
    },
    async save(format) {
      return ask('app.save-plot', await image(format))
    },
  }
}

type Known = FigureEntry & { readonly foreign: boolean }

export const useFiguresStore = defineStore('figures', () => {
  /** Of several of one name the last one counts. */
  const entries = shallowRef<readonly Known[]>([])

  /** Makes a plot known; the answer takes it back. A name registered again is the newer plot's. */
  function register(registered: RegisteredFigure): () => void {
    const added = { ...figureEntry(registered), foreign: registered.foreign ?? false }
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
