import { invalidArgument } from '@shared/errors'
import type { Projections } from '../projections'
import type { HostHandlers } from '../protocol'

type ProjectionHandlers = Pick<HostHandlers, 'projection.fit' | 'projection.values' | 'projection.close'>

/** Principal components as axes of the scatter plot. */
export function projectionHandlers(projections: Projections): ProjectionHandlers {
  return {
    'projection.fit': (source) => projections.fit(source),
    'projection.values': ({ projectionId, component, start, count }) => {
      const projection = projections.get(projectionId)
      if (component >= projection.components)
        throw invalidArgument(`a component below ${projection.components}`, 'component', component)
      return { values: projection.scores(component, start, count) }
    },
    'projection.close': ({ projectionId }) => {
      projections.close(projectionId)
      return null
    },
  }
}
