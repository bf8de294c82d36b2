import type { RunResult } from '@engine/run/types'
import type { PreparedPoints } from '@engine/dataset/prepared'

/** What labelled rows are written of: a clustering's own, or rows of another file assigned to its centroids. */
export interface LabelledData extends Pick<RunResult, 'dataset' | 'labels' | 'centroids' | 'distances'> {
  readonly points: Pick<PreparedPoints, 'x' | 'n' | 'd' | 'rows' | 'exponent'>
}
