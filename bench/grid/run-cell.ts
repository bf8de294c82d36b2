import { setTimeout as sleep } from 'node:timers/promises'
import { inexactLabels, sampleOf } from '@engine/benchmark/exactness'
import type { DeviceFloors, Session } from '@engine/engines/engine'
import { plainSession } from '@engine/engines/session-config'
import { medianOf } from '@shared/benchmark/statistics'
import { LabError } from '@shared/errors'
import { check, CheckFailure } from '@tests/parity/check'
import type { Contender } from '@tests/parity/contenders'
import type { Blobs } from '../blobs'
import { timed } from '../clocks'
import { floorMs } from '../floor'
import { verify } from '../verify'
import type { Cell } from './cells'
import type { Peer } from './peers'
import type { GridRow, Times } from './row'
import { sessionInTurns, withoutTurns, type Turn } from './turns'

const never = new AbortController().signal
/** Multiply-adds that a look at labels takes in float64: a second or two; where cells are to be short, so many of an iteration's. */
const maxChecked = 4e8
const checkedShare = 0.1

export interface CellOptions {
  /** In a measurement, where no peer stops earlier. */
  readonly iterations: number
  /** Measurements of each. */
  readonly repeats: number
  /** After so many seconds of measurements a contender or a peer gets no further one. */
  readonly seconds: number
  /** Multiply-adds of an iteration at most, see fittingPoints. */
  readonly work: number
  readonly dataOf: (cell: Cell) => Blobs
  /** Around everything that keeps the device busy; absent: nobody else uses it. */
  readonly turn?: Turn
}

/**
 * All contenders and the peer on the same points from the same start: labels and centroids are checked against float64, then everybody
 * is measured in turns.
 */
export async function runCell(
  cell: Cell,
  contenders: readonly Contender[],
  floors: ReadonlyMap<string, DeviceFloors | null>,
  peer: Peer | null,
  options: CellOptions,
): Promise<GridRow[]> {
  const blobs = options.dataOf(cell)
  const sample = await sampleOf(blobs.points, blobs.centroids, cell.k, checkedRows(cell, options), never)
  const peers = peer === null ? null : await beginTurns(peer, cell, blobs, options)
  const iterations = peers?.iterations ?? options.iterations
  const runners = contenders.map((contender) => new Runner(contender, cell, blobs, iterations, options))
  for (const runner of runners) await runner.open(sample)
  for (let turn = 0; turn < options.repeats; turn++) {
    await peers?.turn()
    for (const runner of runners) await runner.turn()
  }
  for (const runner of runners) await runner.finish()
  const beside = peers === null ? null : { id: peers.id, times: timesOf(peers.measurements) }
  return runners.map((runner) =>
    runner.row(floorMs(cell, floors.get(runner.contender.device.id) ?? null), beside),
  )
}

/** Null, and a line, where the peer cannot take the cell. */
async function beginTurns(
  peer: Peer,
  { kind, n, d, k }: Cell,
  blobs: Blobs,
  options: CellOptions,
): Promise<PeerTurns | null> {
  try {
    return await PeerTurns.begin(peer, blobs, options)
  } catch (error) {
    console.error(`${kind} ${n} ${d} ${k}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** The variant, and the regime where one is forced: "fused:tiled". */
export function contestantOf({ variant, regime }: Contender): string {
  return regime === undefined ? variant : `${variant}:${regime}`
}

function checkedRows({ d, k }: Cell, { work }: CellOptions): number {
  const checked = Math.min(maxChecked, checkedShare * work)
  return Math.max(200, Math.min(20_000, Math.floor(checked / (k * d))))
}

/** For so long the threads of a peer's libraries wait for more work on the processor, which is not theirs any more. */
const untilThreadsSleepMs = 200

/** The peer's measurements of a cell. */
class PeerTurns {
  readonly measurements: number[] = []
  readonly #peer: Peer
  readonly #options: CellOptions
  readonly #turn: Turn
  iterations: number

  private constructor(peer: Peer, options: CellOptions) {
    this.#peer = peer
    this.#options = options
    this.#turn = options.turn ?? withoutTurns
    this.iterations = options.iterations
  }

  /** Takes the data and makes one measurement that does not count, which tells the number of iterations. */
  static async begin(peer: Peer, blobs: Blobs, options: CellOptions): Promise<PeerTurns> {
    const turns = new PeerTurns(peer, options)
    await peer.take(blobs)
    turns.iterations = (await turns.#measure(options.iterations)).iterations
    return turns
  }

  get id() {
    return this.#peer.id
  }

  async turn(): Promise<void> {
    if (isOver(this.measurements, this.iterations, this.#options)) return
    this.measurements.push((await this.#measure(this.iterations)).ms)
    if (this.#peer.id === 'scikit-learn') await sleep(untilThreadsSleepMs)
  }

  #measure(iterations: number) {
    return this.#turn(() => this.#peer.measure(iterations))
  }
}

/** One contender in one cell. */
class Runner {
  readonly contender: Contender
  readonly #cell: Cell
  readonly #blobs: Blobs
  readonly #iterations: number
  readonly #options: CellOptions
  readonly #turn: Turn
  readonly #measurements: number[] = []
  #opened: Session | null = null
  #outcome: GridRow['outcome'] = 'measured'
  #reason: string | null = null
  #openMs: number | null = null
  #checked = 0

  constructor(contender: Contender, cell: Cell, blobs: Blobs, iterations: number, options: CellOptions) {
    this.contender = contender
    this.#cell = cell
    this.#blobs = blobs
    this.#iterations = iterations
    this.#options = options
    this.#turn = options.turn ?? withoutTurns
  }

  async open(sample: Parameters<typeof verify>[4]): Promise<void> {
    await this.#guarded(async () => {
      const { engine, device, variant, regime } = this.contender
      const forced = regime === undefined ? {} : { regime, otherwise: null }
      const config = plainSession(variant, { k: this.#cell.k, ...forced })
      const opening = () => engine.open(this.#blobs.points, config, device.id)
      const { answer, ms } = await this.#turn(() => timed(opening))
      this.#opened = answer
      this.#openMs = ms
      const session = sessionInTurns(answer, this.#turn)
      const { labelsChecked } = await verify(this.contender, this.#cell, session, this.#blobs, sample)
      this.#checked += labelsChecked
      await this.#turn(() => this.#measure(answer))
    })
  }

  /** One measurement more. */
  async turn(): Promise<void> {
    if (isOver(this.#measurements, this.#iterations, this.#options)) return
    await this.#guarded(async () => {
      this.#measurements.push(await this.#turn(() => this.#measure(this.#session)))
    })
  }

  /** Labels after the last iteration, and the end. */
  async finish(): Promise<void> {
    await this.#guarded(async () => {
      const { points } = this.#blobs
      const { k } = this.#cell
      const { labels, centroids } = await this.#turn(() => this.#session.read())
      const sample = await sampleOf(points, centroids, k, checkedRows(this.#cell, this.#options), never)
      const { labelUnit } = this.contender
      const inexact = await inexactLabels(points, centroids, k, sample, labels, labelUnit, never)
      check(inexact === 0, `${inexact} of ${sample.labels.length} labels are inexact after the iterations`)
      this.#checked += sample.labels.length
    })
    await this.#opened?.close()
  }

  row(floor: number | null, peer: GridRow['peer']): GridRow {
    const { engine, device } = this.contender
    const variant = contestantOf(this.contender)
    const { regime, reason: why } = this.#opened?.plan ?? { regime: null, reason: null }
    return {
      cell: this.#cell,
      ...{ engine: engine.id, device: device.id, variant, outcome: this.#outcome, reason: this.#reason },
      ...{ regime, why, openMs: this.#openMs, labelsChecked: this.#checked, iterations: this.#iterations },
      times: this.#outcome === 'measured' ? timesOf(this.#measurements) : null,
      ...{ floorMs: floor, peer },
    }
  }

  get #session(): Session {
    if (this.#opened === null) throw new Error('no session was opened')
    return this.#opened
  }

  /** Milliseconds of one iteration. */
  async #measure(session: Session): Promise<number> {
    await session.start(this.#blobs.centroids)
    const began = performance.now()
    for (let made = 0; made < this.#iterations;) {
      const budget = { iterations: this.#iterations - made, milliseconds: Number.MAX_SAFE_INTEGER }
      made += (await session.advance(budget, never)).length
    }
    return (performance.now() - began) / this.#iterations
  }

  /** Turns what went wrong into an outcome. Nothing follows after that. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    if (this.#outcome !== 'measured') return
    try {
      await work()
    } catch (error) {
      const isRefused = error instanceof LabError && error.kind === 'input'
      const broken = isRefused ? 'unsuitable' : 'failed'
      this.#outcome = error instanceof CheckFailure ? 'wrong' : broken
      this.#reason = error instanceof Error ? error.message : String(error)
    }
  }
}

function isOver(measurements: readonly number[], iterations: number, { seconds }: CellOptions): boolean {
  const spent = measurements.reduce((sum, ms) => sum + ms * iterations, 0)
  return measurements.length > 0 && spent > seconds * 1000
}

function timesOf(measurements: readonly number[]): Times {
  return { best: Math.min(...measurements), median: medianOf(measurements), measurements }
}
