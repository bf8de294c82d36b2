import { randomUUID } from 'node:crypto'
import type { BenchmarkDocument, PlannedCell } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import { machineFacts } from '../machine'
import { withStandInBaseline } from './stand-in-baseline'

/** A comparison of which nothing has run. @param plan empty when it is still to be made */
export async function newDocument(
  suite: Suite,
  plan: readonly PlannedCell[] = [],
): Promise<BenchmarkDocument> {
  return withStandInBaseline<BenchmarkDocument>({
    format: 1,
    id: randomUUID(),
    startedAt: new Date().toISOString(),
    finishedAt: null,
    state: 'running',
    suite,
    machine: await machineFacts(onlyEngine(suite)),
    plan,
    rows: [],
  })
}

/** A comparison on the processor must not wait for, or fall over, a graphics driver. */
function onlyEngine({ contenders }: Suite) {
  const engines = contenders.flatMap((one) => (one.kind === 'variant' ? [one.engine] : []))
  const distinct = [...new Set(engines)]
  if (distinct.length > 1) return 'auto'
  return distinct[0] ?? 'cpu'
}
