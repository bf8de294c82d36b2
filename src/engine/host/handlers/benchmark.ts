import type { Comparisons } from '@engine/benchmark/comparisons'
import { namedByFiles } from '@engine/benchmark/loaded-files'
import { outsideRunner } from '@engine/benchmark/outside'
import { presets } from '@engine/benchmark/presets'
import { writeBenchmark } from '@engine/export/benchmark'
import type { BenchmarkHostRequests } from '@shared/benchmark/requests'
import { markdownOf } from '@shared/benchmark/markdown'
import { speaking } from '@shared/locale/translate'
import { LabError } from '@shared/errors'
import type { HostHandlers } from '../protocol'
import type { HostStore } from '../store'

type BenchmarkHandlers = Pick<HostHandlers, Extract<keyof BenchmarkHostRequests, `bench.${string}`>>

const never = new AbortController().signal

/** Comparisons of execution times. A clustering beside one would spoil its times, so neither begins beside the other. */
export function benchmarkHandlers(store: HostStore, comparisons: Comparisons): BenchmarkHandlers {
  return {
    'bench.presets': ({ scale }) => presets(scale),
    'bench.outside': () => outsideRunner.reports(),
    'bench.plan': ({ suite }) => comparisons.plan(suite),
    'bench.start': async ({ suite }) => {
      requireNoRun(store)
      return { benchId: await comparisons.start(suite) }
    },
    'bench.pause': ({ benchId }) => {
      comparisons.pause(benchId)
      return null
    },
    'bench.resume': async ({ benchId }) => {
      requireNoRun(store)
      await comparisons.resume(benchId)
      return null
    },
    'bench.cancel': async ({ benchId }) => {
      await comparisons.cancel(benchId)
      return null
    },
    'bench.list': () => comparisons.list(),
    'bench.document': ({ benchId }) => comparisons.document(benchId),
    'bench.forget': async ({ benchId }) => {
      await comparisons.forget(benchId)
      return null
    },
    'bench.markdown': async ({ benchId, baseline, language }) => {
      const document = await comparisons.document(benchId)
      return { text: speaking(language, () => markdownOf(document, baseline)) }
    },
    'bench.export': async ({ benchId, what, baseline, plots, path, replace, ...text }) => {
      const document = namedByFiles(await comparisons.document(benchId))
      return writeBenchmark(document, what, { baseline, plots }, path, { replace, signal: never, ...text })
    },
  }
}

/** @throws LabError `run.busy` */
function requireNoRun(store: HostStore): void {
  if (!store.runs.isWorking) return
  throw new LabError(
    'input',
    'run.busy',
    'A clustering is running and would spoil the times: wait for its end, or cancel it first.',
  )
}
