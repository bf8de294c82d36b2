import { formatCount } from '@shared/quantity-words'
import type { EngineSegment } from '@shared/run-record'

/** A sentence on which iterations ran where, for a run that went on after its device was lost; else none. */
export function segmentsWarning(engineSegments: readonly EngineSegment[] | null, restarts: number): string[] {
  if (engineSegments === null) return []
  const parts = engineSegments.map((segment, i) => {
    const { from, to, engine, deviceName, variant, regime } = segment
    const lost =
      i < engineSegments.length - 1 && engine !== engineSegments[i + 1].engine ? ', which was lost' : ''
    return `${span(from, to, restarts)} on ${engine} (${[deviceName, variant, regime].filter(Boolean).join(', ')})${lost}`
  })
  const moved = engineSegments.some(({ engine }) => engine !== engineSegments[0].engine)
  return [
    `This run was ${moved ? 'carried on by another engine' : 'cut off and went on'}: ${parts.join('; ')}.`,
  ]
}

type Position = EngineSegment['from']

function span(from: Position, to: Position, restarts: number): string {
  if (restarts > 1) return `${positionText(from)} to ${positionText(to)}`
  return from.iteration === to.iteration
    ? `iteration ${formatCount(from.iteration)}`
    : `iterations ${formatCount(from.iteration)} to ${formatCount(to.iteration)}`
}

function positionText({ run, iteration }: Position): string {
  return `restart ${formatCount(run + 1)}, iteration ${formatCount(iteration)}`
}
