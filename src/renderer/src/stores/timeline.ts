/**
 * The iterations of the shown result, one of them on screen: its labels, and its centroids on the two axes.
 * Position 0 has the initial centroids and no labels; position i the labels that iteration i assigned and the
 * centroids after it; the last one the result itself.
 */
import { toErrorReport } from '@shared/errors'
import type { RunRecord } from '@shared/run-record'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { iterationLabels, keptIterations, rowLabels, trail } from '@/api'
import { ByteCache } from '@shared/byte-cache'
import type { PlotColumn } from '@/plots/plot-column'
import type { CentroidTrails } from '@/plots/scatter/trails'
import { trailAxis } from '@/plots/trail-axis'
import { useAppStore } from './app'
import { createEventHook } from './event-hook'

/** Trails beyond this are not drawn; the centroids of the shown iteration alone are fetched. */
const maxTrailBytes = 32 * 2 ** 20
const maxLabelBytes = 64 * 2 ** 20
const playMs = { least: 50, most: 400, whole: 10_000 } as const
/** Labels that take longer are given up when another position is wanted meanwhile. */
const patienceMs = 250
const lookMs = 50

const resultKey = (runId: string): string => `${runId} result`

interface Shown {
  readonly record: RunRecord
  readonly rows: number
}

export const useTimelineStore = defineStore('timeline', () => {
  const app = useAppStore()
  const position = ref(0)
  /** Position of the result: its last iteration, or one beyond what a cut history kept. */
  const last = ref(0)
  /** Iterations whose centroids were kept. */
  const kept = ref(0)
  const playing = ref(false)
  const labels = shallowRef<Int32Array | null>(null)
  /** Position whose labels are on screen. */
  const loaded = ref(-1)
  /** (iterations, k, 2) in units of the axes, from iteration `trailStart` on. */
  const coordinates = shallowRef<Float64Array | null>(null)
  const trailStart = ref(0)
  /** Labels of iterations that were shown. */
  const cache = new ByteCache<Int32Array>({ bytes: maxLabelBytes, inUse: 1 })
  let shown: Shown | null = null
  /** What is known of a result before it is shown, so that it takes the place of another at once. */
  let ready: { readonly record: RunRecord; readonly labels: Int32Array; readonly kept: number } | null = null
  const prepared = createEventHook<{ readonly record: RunRecord; readonly labels: Int32Array }>()
  const painted = createEventHook()
  let columns: readonly (PlotColumn | null)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let pumping = false

  const available = computed(() => last.value > 0)
  const atResult = computed(() => position.value === last.value)
  const trails = computed<CentroidTrails | null>(() => {
    const values = coordinates.value
    const k = shown?.record.k ?? 0
    if (!values || k === 0 || trailStart.value > 0) return null
    return { values, iterations: values.length / (2 * k), k, upTo: position.value }
  })

  /** The centroids of the shown iteration on the axes, (k, 2); null where they are not known. */
  const centroids = computed<Float64Array | null>(() => {
    const width = 2 * (shown?.record.k ?? 0)
    const values = coordinates.value
    const at = (position.value - trailStart.value) * width
    return values && width > 0 && at >= 0 && at < values.length ? values.subarray(at, at + width) : null
  })

  /** Takes a result (null: none) with the rows of its dataset, and stands at its end. */
  async function adopt(record: RunRecord | null, rows: number): Promise<void> {
    pause()
    cache.clear()
    shown = record ? { record, rows } : null
    coordinates.value = null
    loaded.value = -1
    const known = ready?.record === record ? ready : null
    ready = null
    if (record && known) return await adoptKnown(record, known)
    labels.value = null
    kept.value = 0
    last.value = 0
    position.value = 0
    if (!record) return
    const mine = shown
    try {
      await countKept(record)
    } finally {
      await pump()
    }
    if (shown === mine) await loadTrail()
  }

  /** The labels of a result that is about to be adopted, and how many of its iterations kept their centroids. */
  function prepare(record: RunRecord, known: Int32Array, keptIterations: number): void {
    ready = { record, labels: known, kept: keptIterations }
    prepared.trigger({ record, labels: known })
  }

  async function adoptKnown(record: RunRecord, known: NonNullable<typeof ready>): Promise<void> {
    cache.set(resultKey(record.id), known.labels, known.labels.byteLength)
    setKept(record, known.kept)
    labels.value = known.labels
    loaded.value = position.value
    await loadTrail()
  }

  function setKept(record: RunRecord, count: number): void {
    kept.value = Math.min(count, record.iterations)
    last.value = kept.value === 0 ? 0 : kept.value < record.iterations ? kept.value + 1 : record.iterations
    position.value = last.value
  }

  /** A history that did not fit into memory ends earlier than the run. */
  async function countKept(record: RunRecord): Promise<void> {
    if (!record.config.centroidHistory) return
    const count = await keptIterations(record.id)
    if (shown?.record !== record || count === 0) return
    setKept(record, count)
  }

  /** The columns that stand on the axes now; centroids follow. */
  async function setAxes(x: PlotColumn | null, y: PlotColumn | null): Promise<void> {
    columns = [x, y]
    await loadTrail()
  }

  async function loadTrail(): Promise<void> {
    coordinates.value = null
    const [mine, on] = [shown, columns]
    if (!mine || kept.value === 0) return
    const axes = on.map((column) => trailAxis(column, mine.record)).filter((axis) => axis !== null)
    if (axes.length !== 2) return
    const width = 2 * mine.record.k
    const whole = (kept.value + 1) * width * Float64Array.BYTES_PER_ELEMENT <= maxTrailBytes
    const start = whole ? 0 : position.value
    const count = whole ? kept.value + 1 : 1
    const wanted = (): boolean => shown === mine && columns === on && (whole || position.value === start)
    const values = await trail(mine.record.id, axes, start, count, width, wanted)
    if (!values) return
    trailStart.value = start
    coordinates.value = values
  }

  /** Shows a position; while labels are under way the newest wish wins. */
  async function go(to: number): Promise<void> {
    position.value = Math.max(0, Math.min(last.value, Math.round(to)))
    await Promise.all([pump(), loadMissingTrail()])
  }

  async function loadMissingTrail(): Promise<void> {
    if (!centroids.value && position.value <= kept.value) await loadTrail()
  }

  /** Fetches until the labels on screen are those of the position; an engine process that was replaced is asked anew. */
  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    try {
      while (shown && loaded.value !== position.value) await fetchOne(shown, position.value)
    } finally {
      pumping = false
    }
  }

  async function fetchOne(mine: Shown, at: number): Promise<void> {
    try {
      const fetched = await Promise.race([labelsAt(mine, at), givenUp(mine, at)])
      if (shown !== mine || (fetched === null && at !== 0)) return
      labels.value = fetched
      loaded.value = at
    } catch (thrown) {
      // What gave way to others in the engine host, or is no longer shown, is no failure.
      if (shown === mine && toErrorReport(thrown).kind !== 'cancelled') throw thrown
    }
  }

  /** Answers null once another position has been wanted for a while. */
  function givenUp(mine: Shown, at: number): Promise<null> {
    return new Promise((resolve) => {
      const began = performance.now()
      const look = setInterval(() => {
        const moved = shown !== mine || position.value !== at
        const over = loaded.value === at || !pumping
        if (!over && !(moved && performance.now() - began > patienceMs)) return
        clearInterval(look)
        resolve(null)
      }, lookMs)
    })
  }

  async function labelsAt({ record, rows }: Shown, at: number): Promise<Int32Array | null> {
    const result = at === last.value
    if (at === 0 && !result) return null
    const key = result ? resultKey(record.id) : `${record.id} ${at}`
    const known = cache.get(key)
    if (known) return known
    const wanted = (): boolean => shown?.record === record
    const fetched = result
      ? await rowLabels(record.id, rows, wanted)
      : await iterationLabels(record.id, at, rows, wanted)
    if (fetched && wanted()) cache.set(key, fetched, fetched.byteLength)
    return fetched
  }

  /** The final labels of the result that is shown, whatever iteration is on screen; null where they are not at hand. */
  function resultLabels(): Int32Array | null {
    return (shown && cache.get(resultKey(shown.record.id))) ?? null
  }

  /** Plays from here, or from the start when it stands at the end; about ten seconds for the whole. */
  function play(): void {
    if (!available.value) return
    playing.value = true
    if (atResult.value) position.value = 0
    void step()
  }

  async function step(): Promise<void> {
    clearTimeout(timer)
    try {
      await go(position.value)
    } catch (thrown) {
      pause()
      app.fail(thrown)
    }
    if (!playing.value) return
    if (atResult.value) return pause()
    const wait = Math.min(playMs.most, Math.max(playMs.least, playMs.whole / last.value))
    timer = setTimeout(() => {
      position.value++
      void step()
    }, wait)
  }

  function pause(): void {
    playing.value = false
    clearTimeout(timer)
  }

  return {
    position,
    last,
    kept,
    atResult,
    playing,
    labels,
    loaded,
    available,
    trails,
    centroids,
    adopt,
    prepare,
    resultLabels,
    /** A result is about to be adopted: it can be painted before all else is told of it. */
    onPrepared: prepared.on,
    /** A picture of the points is on screen. */
    painted: () => painted.trigger(),
    onPainted: painted.on,
    setAxes,
    go,
    play,
    pause,
    /** After an engine process was replaced: what it did not answer is asked for again. */
    retry: pump,
  }
})
