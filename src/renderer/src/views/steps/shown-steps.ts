/** What the view of steps shows, wherever it comes from. */
import { t } from '@/i18n'
import type { Palette } from '@/plots/palette'
import type { StepPanel } from '@/plots/steps/panel'
import type { Viewport } from '@/plots/viewport'

export interface ShownSteps {
  readonly panels: readonly StepPanel[]
  /** Iterations that could be shown. */
  readonly available: number
  readonly view: Viewport
  readonly palette: Palette
  readonly xName: string
  readonly yName: string
  /** `Iterations 1 to 6 of 12` */
  readonly what: string
}

/** Of a plot; `where` names the folder. */
export const stepsTitle = ({ what, xName, yName }: ShownSteps, where = ''): string =>
  t('steps.against', [what, where, yName, xName])

/** `Iterations 1 to 6 of 12`, `All 4 iterations`, `The only iteration`. */
export function spanWords(shown: number, available: number): string {
  if (available === 1) return t('steps.theOnlyIteration')
  if (shown === available) return t('steps.allIterations', [available])
  return shown === 1 ? t('steps.iteration1Of', [available]) : t('steps.iterations1ToOf', [shown, available])
}
