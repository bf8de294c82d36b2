import { outsideRunner } from '@engine/benchmark/outside'
import { presets } from '@engine/benchmark/presets'
import { LabError } from '@shared/errors'
import type { BenchmarkHostRequests } from '@shared/benchmark/requests'
import type { HostHandlers, SendEvent } from '../protocol'
import type { HostStore } from '../store'

type BenchmarkHandlers = Pick<HostHandlers, Extract<keyof BenchmarkHostRequests, `bench.${string}`>>

/** Comparisons of execution times. */
export function benchmarkHandlers(_store: HostStore, _sendEvent: SendEvent): BenchmarkHandlers {
  const refuse = () => {
    throw new LabError(
      'internal',
      'bench.missing',
      'Comparisons cannot be run yet: run one clustering instead.',
    )
  }
  return {
    'bench.presets': ({ scale }) => presets(scale),
    'bench.outside': () => outsideRunner.reports(),
    'bench.plan': refuse,
    'bench.start': refuse,
    'bench.pause': refuse,
    'bench.resume': refuse,
    'bench.cancel': refuse,
    'bench.list': () => [],
    'bench.document': refuse,
    'bench.forget': refuse,
    'bench.markdown': refuse,
    'bench.export': refuse,
  }
}
