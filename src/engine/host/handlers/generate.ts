import type { TimingLock } from '@engine/benchmark/timing-lock'
import { generatePoints, writeGenerated } from '@engine/generate'
import type { HostHandlers, HostParams, HostResult, SendEvent } from '../protocol'
import { atMostEvery } from '@shared/throttle'

type GenerateHandlers = Pick<HostHandlers, 'generate.preview' | 'generate.write' | 'generate.cancel'>

const progressMs = 100

/**
 * Data that is made rather than measured. Files that are under way end together: a window writes one.
 * @param timingLock writing waits for a run that is being timed
 */
export function generateHandlers(
  sendEvent: SendEvent,
  timingLock: Pick<TimingLock, 'shared'>,
): GenerateHandlers {
  const writing = new Set<AbortController>()
  return {
    'generate.preview': preview,
    'generate.write': async ({ spec, format, path, replace }) => {
      const controller = new AbortController()
      writing.add(controller)
      try {
        const onRows = atMostEvery(progressMs, (rows: number) =>
          sendEvent('generate.progress', { rows, totalRows: spec.n }),
        )
        const { signal } = controller
        const write = () => writeGenerated(spec, { format, path, replace, signal, onRows })
        return await timingLock.shared(write, signal)
      } finally {
        writing.delete(controller)
      }
    },
    'generate.cancel': () => {
      for (const controller of writing) controller.abort()
      return null
    },
  }
}

function preview({ spec, count }: HostParams<'generate.preview'>): HostResult<'generate.preview'> {
  const generated = generatePoints(spec)
  const { d } = generated
  const rows = Math.min(count, spec.n)
  const points = new Float32Array(2 * rows)
  const row = new Float64Array(d)
  for (let i = 0; i < rows; i++) {
    generated.values(i, 1, row)
    points[2 * i] = row[0]
    if (d > 1) points[2 * i + 1] = row[1]
  }
  return { points }
}
