import type { DeviceFloors } from '@engine/engines/engine'
import type { Contender } from '@tests/parity/contenders'
import type { Cell } from './cells'
import { dataMaker } from './kinds'
import type { GridOptions } from './options'
import { Peer, type PeerId } from './peers'
import type { GridRow } from './row'
import { runCell } from './run-cell'
import type { Turn } from './turns'

/** Those of the machine that were asked for, once for each regime that is. */
export function contendersOf(found: readonly Contender[], options: GridOptions): Contender[] {
  return found
    .filter((each) => takesPart(each, options))
    .flatMap((each) => options.regimes.map((regime) => (regime === null ? each : { ...each, regime })))
}

function takesPart({ engine, device, variant }: Contender, options: GridOptions): boolean {
  return (
    options.engines.includes(engine.id) &&
    (options.variants === null || options.variants.includes(variant)) &&
    (options.software || !device.software)
  )
}

export interface Measuring {
  readonly floors: ReadonlyMap<string, DeviceFloors | null>
  /** By `performance.now()`. */
  readonly end: number
  readonly keep: (cell: Cell, rows: readonly GridRow[]) => void
  readonly options: GridOptions
  /** For the points, on their way to a peer. */
  readonly folder: string
  readonly turn?: Turn
}

/** Cell by cell, beside the peer. @returns why the peer is missing */
export async function measureCells(
  group: readonly Contender[],
  cells: Iterable<Cell> | AsyncIterable<Cell>,
  { floors, end, keep, options, folder, turn }: Measuring,
): Promise<string[]> {
  const peer = await peerOf(group, folder, options)
  const iterations = options.iterations ?? usualIterations(group[0])
  const dataOf = dataMaker(options.seed)
  for await (const cell of cells) {
    if (performance.now() > end) break
    const beside = peer instanceof Peer ? peer : null
    const cellOptions = { ...options, iterations, dataOf, ...(turn !== undefined && { turn }) }
    keep(cell, await runCell(cell, group, floors, beside, cellOptions))
  }
  if (peer instanceof Peer) peer.close()
  return typeof peer === 'string' ? [peer] : []
}

/** Enough for a card's clocks to rise; no more than a software adapter does in seconds. */
function usualIterations({ engine, device }: Contender): number {
  if (device.software === true) return 3
  return engine.id === 'cpu' ? 10 : 30
}

/** The system that stands beside a group; why it is missing; null where none is wanted. */
async function peerOf(
  group: readonly Contender[],
  folder: string,
  { withPeers, flash }: GridOptions,
): Promise<Peer | string | null> {
  if (!withPeers || group[0].device.software === true) return null
  const id: PeerId = group[0].engine.id === 'cpu' ? 'scikit-learn' : 'flash-kmeans'
  return Peer.open(id, flash, folder)
}
