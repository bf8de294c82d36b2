/** What is said where a plot is asked for that shows nothing. */
import { LabError } from '@shared/errors'

export const emptyScatter = (): LabError =>
  new LabError('input', 'plot.empty', 'The scatter plot shows nothing yet: open a file first.')

export const emptySteps = (): LabError =>
  new LabError('input', 'plot.empty', 'The Steps view shows nothing yet: run the clustering first.')
