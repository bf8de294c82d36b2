/**
 * The iterations of the shown result, one of them on screen: its labels, and its centroids on the two axes.
 * Position 0 has the initial centroids and no labels; position i the labels that iteration i assigned and the
 * centroids after it; the last one the result itself.
 */
import type { TrailAxis } from '@shared/ipc'
import type { RunRecord } from '@shared/run-record'
import { toErrorReport } from '@shared/errors'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { iterationLabels, rowLabels, trail } from '@/api'
import type { PlotColumn } from '@/plots/plot-column'
import type { CentroidTrails } from '@/plots/scatter/trails'
import { LabelCache } from './label-cache'
import { useProjectionStore } from './projection'

/** Trails beyond this are not drawn; the centroids of the shown iteration alone are fetched. */
const mostTrailBytes = 32 * 2 ** 20
const playMs = { least: 50, most: 400, whole: 10_000 } as const

interface Shown {
  readonly record: RunRecord
  readonly rows: number
}

export const useTimelineStore = defineStore('timeline', () => {
  const projection = useProjectionStore()
  const position = ref(0)
  const last = ref(0)
  const playing = ref(false)
  const labels = shallowRef<Int32Array | null>(null)
  /** Position whose labels are on screen. */
  const loaded = ref(-1)
  /** (iterations, k, 2) in units of the axes, from iteration `trailStart` on. */
  const places = shallowRef<Float64Array | null>(null)
  const trailStart = ref(0)
  const cache = new LabelCache()
  let shown: Shown | null = null
  let columns: readonly (PlotColumn | null)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let pumping = false

  const available = computed(() => last.value > 0)
  const trails = computed<CentroidTrails | null>(() => {
    const values = places.value
    const k = shown?.record.k ?? 0
    if (!values || k === 0 || trailStart.value > 0) return null
    return { values, iterations: values.length / (2 * k), k, upTo: position.value }
  })

  /** The centroids of the shown iteration on the axes, (k, 2); null where they are not known. */
  const centroids = computed<Float64Array | null>(() => {
    const width = 2 * (shown?.record.k ?? 0)
    const values = places.value
    const at = (position.value - trailStart.value) * width
    return values && width > 0 && at >= 0 && at < values.length ? values.subarray(at, at + width) : null
  })

  /** Takes a result (null: none) with the rows of its dataset, and stands at its end. */
  async function adopt(record: RunRecord | null, rows: number): Promise<void> {
    pause()
    cache.clear()
    shown = record ? { record, rows } : null
    labels.value = null
    places.value = null
    loaded.value = -1
    last.value = 0
    position.value = 0
    if (!shown) return
    const mine = shown
    if (record?.config.centroidHistory) last.value = record.iterations
    position.value = last.value
    await pump()
    if (shown === mine) await loadTrail()
  }

  /** The columns that stand on the axes now; centroids follow. */
  async function setAxes(x: PlotColumn | null, y: PlotColumn | null): Promise<void> {
    columns = [x, y]
    await loadTrail()
  }

  function trailAxis(column: PlotColumn | null, record: RunRecord): TrailAxis | null {
    const axis = column?.axis
    if (axis?.kind === 'component' && projection.fitted) {
      return { kind: 'component', projectionId: projection.fitted.id, component: axis.component }
    }
    if (axis?.kind !== 'column') return null
    const feature = record.features.findIndex(({ index }) => index === axis.column)
    return feature < 0 ? null : { kind: 'feature', feature }
  }

  async function loadTrail(): Promise<void> {
    places.value = null
    const [mine, on] = [shown, columns]
    if (!mine || last.value === 0) return
    const axes = on.map((column) => trailAxis(column, mine.record)).filter((axis) => axis !== null)
    if (axes.length !== 2) return
    const width = 2 * mine.record.k
    const whole = (last.value + 1) * width * Float64Array.BYTES_PER_ELEMENT <= mostTrailBytes
    const start = whole ? 0 : position.value
    const count = whole ? last.value + 1 : 1
    const wanted = (): boolean => shown === mine && columns === on && (whole || position.value === start)
    const values = await trail(mine.record.id, axes, start, count, width, wanted)
    if (!values) return
    trailStart.value = start
    places.value = values
    // A history that did not fit ends earlier than the run.
    if (whole) last.value = Math.min(last.value, values.length / width - 1)
    if (position.value > last.value) await go(last.value)
  }

  /** Shows a position; while labels are under way the newest wish wins. */
  async function go(to: number): Promise<void> {
    position.value = Math.max(0, Math.min(last.value, Math.round(to)))
    await pump()
    if (!centroids.value) await loadTrail()
  }

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    try {
      while (shown && loaded.value !== position.value) {
        const [mine, at] = [shown, position.value]
        const fetched = await labelsAt(mine, at).catch(giveWay)
        if (shown === mine && (fetched || at === 0)) {
          labels.value = fetched
          loaded.value = at
        }
      }
    } finally {
      pumping = false
    }
  }

  /** Labels that gave way to others in the engine host are asked for again. */
  function giveWay(thrown: unknown): null {
    if (toErrorReport(thrown).kind !== 'cancelled') throw thrown
    return null
  }

  async function labelsAt({ record, rows }: Shown, at: number): Promise<Int32Array | null> {
    const final = at === last.value && (at === record.iterations || at === 0)
    if (at === 0 && !final) return null
    const key = final ? `${record.id} result` : `${record.id} ${at}`
    const known = cache.get(key)
    if (known) return known
    const wanted = (): boolean => shown?.record === record
    const fetched = final
      ? await rowLabels(record.id, rows, wanted)
      : await iterationLabels(record.id, at, rows, wanted)
    if (fetched && wanted()) cache.set(key, fetched)
    return fetched
  }

  /** Plays from here, or from the start when it stands at the end; about ten seconds for the whole. */
  function play(): void {
    if (!available.value) return
    playing.value = true
    if (position.value >= last.value) position.value = 0
    step()
  }

  function step(): void {
    const pause_ = Math.min(playMs.most, Math.max(playMs.least, playMs.whole / last.value))
    clearTimeout(timer)
    void pump().finally(() => {
      if (!playing.value) return
      if (position.value >= last.value) return pause()
      timer = setTimeout(() => {
        position.value++
        step()
      }, pause_)
    })
  }

  function pause(): void {
    playing.value = false
    clearTimeout(timer)
  }

  return {
    position,
    last,
    playing,
    labels,
    loaded,
    available,
    trails,
    centroids,
    adopt,
    setAxes,
    go,
    play,
    pause,
  }
})
