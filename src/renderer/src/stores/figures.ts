/** The plots on screen, by name: views register theirs, menus and exports take them from here. */
import type { PlotFormat } from '@shared/ipc'
import { defineStore } from 'pinia'
import { computed, onBeforeUnmount, onMounted, shallowRef } from 'vue'
import { ask } from '@/api'
import type { Figure } from '@/plots/figure/figure'
import type { FigureEntry } from '@/plots/figure/figure-entry'
import { imageOf } from '@/plots/figure/plot-image'

export const figureNames = ['clusters', 'inertia', 'shift', 'changed', 'steps', 'phases'] as const
export type FigureName = (typeof figureNames)[number]

export interface RegisteredFigure {
  readonly name: FigureName
  readonly title: string
  /** The plot as it stands now. */
  figure(): Promise<Figure>
}

function entryOf({ name, title, figure }: RegisteredFigure): FigureEntry {
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

export const useFiguresStore = defineStore('figures', () => {
  const entries = shallowRef<ReadonlyMap<FigureName, FigureEntry>>(new Map())

  /** Makes a plot known; the answer takes it back. A name registered again is the newer plot's. */
  function register(registered: RegisteredFigure): () => void {
    const entry = entryOf(registered)
    entries.value = new Map(entries.value).set(registered.name, entry)
    return () => {
      if (entries.value.get(registered.name) !== entry) return
      const rest = new Map(entries.value)
      rest.delete(registered.name)
      entries.value = rest
    }
  }

  /** In a fixed order, whatever the order of registration. */
  const list = computed<readonly FigureEntry[]>(() =>
    figureNames.flatMap((name) => entries.value.get(name) ?? []),
  )
  const entry = (name: FigureName): FigureEntry | null => entries.value.get(name) ?? null

  return { list, entry, register }
})

/** Registers a plot as long as the calling component is mounted. */
export function useFigure(registered: RegisteredFigure): void {
  const figures = useFiguresStore()
  let forget = (): void => undefined
  onMounted(() => {
    forget = figures.register(registered)
  })
  onBeforeUnmount(() => forget())
}
