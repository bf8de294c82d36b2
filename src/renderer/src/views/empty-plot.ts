/** What is said where a plot is asked for that shows nothing. */
import { LabError } from '@shared/errors'
import { t } from '@/i18n'

export const emptyScatter = (): LabError =>
  new LabError('input', 'plot.empty', t('plots.theScatterPlotShowsNothingYet'))

export const emptySteps = (): LabError =>
  new LabError('input', 'plot.empty', t('plots.theStepsViewShowsNothingYet'))
