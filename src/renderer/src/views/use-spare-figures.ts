/** Plots of the result whose view is not mounted, made from the same numbers at a usual size. */
import { effectScope } from 'vue'
import { t } from '@/i18n'
import type { Figure } from '@/plots/figure/figure'
import type { FigureWish } from '@/plots/figure/print-size'
import { imageScale } from '@/plots/figure/scatter-figure'
import { stepsGrid } from '@/plots/steps/grid'
import { StepsBoard } from '@/plots/steps/steps-board'
import { sideRoom, stepsFigure } from '@/plots/steps/steps-figure'
import { colourless } from '@/plots/palette'
import { readTheme } from '@/plots/theme'
import { wholeView } from '@/plots/viewport'
import { useColouringStore } from '@/stores/colouring'
import { useFigure } from '@/stores/figures'
import { useLooksStore } from '@/stores/looks'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useSelectionStore } from '@/stores/selection'
import { useTimelineStore } from '@/stores/timeline'
import { emptyScatter, emptySteps } from './empty-plot'
import { stepsTitle, type ShownSteps } from './steps/shown-steps'
import { useRunSteps } from './steps/use-run-steps'
import { useHistory } from './use-history'
import { useHistoryFigures } from './use-history-figures'
import { useMarks } from './use-marks'
import { useScatterTitle } from './use-scatter-title'
import { adjustsScatter, wishedScatter } from './wished-scatter'

/** CSS pixels of a plot in a file. */
const scatterSize = { width: 720, height: 480 } as const
const stepsSize = { width: 960, height: 600 } as const

async function stepsOf(shown: ShownSteps): Promise<Figure> {
  const { panels, view, palette } = shown
  const facts = panels[0]?.facts.length ?? 0
  const grid = stepsGrid({ ...stepsSize, panels: panels.length, facts, side: sideRoom(view) })
  const { width, height } = grid
  const look = { view, palette, theme: readTheme(document.body), width, height }
  const board = new StepsBoard()
  try {
    const picture = (panel: (typeof panels)[number]) => board.href(panel, look, imageScale)
    return await stepsFigure({ ...shown, title: stepsTitle(shown), grid, look, picture })
  } finally {
    board.dispose()
  }
}

/** The iterations are located for as long as they are drawn. */
async function spareSteps(): Promise<Figure> {
  const scope = effectScope(true)
  try {
    const steps = scope.run(useRunSteps)
    await steps?.located()
    const shown = steps?.shown.value
    if (!shown) throw emptySteps()
    return await stepsOf(shown)
  } finally {
    scope.stop()
  }
}

export function useSpareFigures(): void {
  const colouring = useColouringStore()
  const looks = useLooksStore()
  const points = usePointsStore()
  const run = useRunStore()
  const selection = useSelectionStore()
  const timeline = useTimelineStore()
  const marks = useMarks()
  const { title } = useScatterTitle()

  function spareClusters(wish?: FigureWish): Promise<Figure> {
    const { x, y } = points
    if (!x || !y) throw emptyScatter()
    const [clusters, trails] = run.live ? [null, null] : [timeline.labels, timeline.trails]
    const labels = colouring.classes?.codes ?? clusters
    const palette = colouring.palette ?? looks.palette
    const marksPalette = colouring.palette && colourless(looks.palette)
    const shown = {
      x,
      y,
      labels,
      trails,
      palette,
      marksPalette,
      marks: marks.value,
      selected: selection.rows,
    }
    const state = { ...scatterSize, view: wholeView(x, y), ...shown }
    return wishedScatter(state, title.value, wish)
  }

  const drawable = (): boolean => points.x !== null && points.y !== null
  useFigure(
    {
      name: 'clusters',
      title: t('plots.clusters'),
      adjusts: adjustsScatter,
      spare: true,
      figure: spareClusters,
    },
    drawable,
  )
  useFigure(
    { name: 'steps', title: t('plots.steps'), spare: true, figure: spareSteps },
    () => drawable() && run.result !== null && timeline.kept > 0,
  )
  useHistoryFigures(useHistory())
}
