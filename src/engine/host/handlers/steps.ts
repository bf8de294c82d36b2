import { drawnValues } from '@engine/dataset/drawn-values'
import { openSteps, type OpenPoints, type OpenSteps } from '@engine/steps/open-steps'
import { invalidArgument, LabError } from '@shared/errors'
import { Newest } from '../newest'
import type { HostHandlers } from '../protocol'

type StepsHandlers = Pick<HostHandlers, 'steps.open' | 'steps.values' | 'steps.labels' | 'steps.close'>

const never = new AbortController().signal

/** Folders of step pairs that the Steps view looks at. */
export function stepsHandlers(): StepsHandlers {
  const folders = new Map<string, OpenSteps>()
  const opening = new Newest()
  const pointsOf = (stepsId: string, step: number): OpenPoints => {
    const { points } = folders.get(stepsId) ?? unknownSteps()
    return points[step] ?? outside('step', points.length, step)
  }
  return {
    'steps.open': ({ folder }) =>
      opening.run(folder, never, async (signal) => {
        const opened = await openSteps(folder, signal)
        folders.set(opened.folder.id, opened)
        return opened.folder
      }),
    'steps.values': ({ stepsId, step, feature, start, count }) => {
      const { columns, ranges } = pointsOf(stepsId, step)
      const column = columns[feature] ?? outside('feature', columns.length, feature)
      return drawnValues(column, ranges[feature], start, count)
    },
    'steps.labels': ({ stepsId, step, start, count }) => {
      const { labels } = pointsOf(stepsId, step)
      return { labels: labels.subarray(start, start + count) }
    },
    'steps.close': ({ stepsId }) => {
      folders.delete(stepsId)
      return null
    },
  }
}

function unknownSteps(): never {
  throw new LabError(
    'input',
    'steps.unknown',
    'This folder of steps is no longer open; please open it again.',
  )
}

function outside(what: string, count: number, received: number): never {
  throw invalidArgument(`a ${what} below ${count}`, what, received)
}
