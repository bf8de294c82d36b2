/** The one worker that paints all panels of a view, and what they are drawn in: the theme, and the room, measured again as it changes. */
import { onBeforeUnmount, onMounted, shallowRef, watch, type Ref } from 'vue'
import { StepsBoard } from '@/plots/steps/steps-board'
import { onThemeChange, readTheme, type PlotTheme } from '@/plots/theme'
import type { Paint } from './painted-panel'

/**
 * @param measure looks how much room there is
 * @param labels key of the labels that are shown: what was held for others is of no more use
 */
export function usePanelBoard(
  root: Readonly<Ref<HTMLElement | null>>,
  measure: () => void,
  labels: () => string | undefined,
) {
  const theme = shallowRef<PlotTheme | null>(null)
  const board = new StepsBoard()
  const observer = new ResizeObserver(measure)
  let forgetTheme = (): void => undefined
  function readAgain(): void {
    if (root.value) theme.value = readTheme(root.value)
  }
  onMounted(() => {
    if (!root.value) return
    readAgain()
    forgetTheme = onThemeChange(readAgain)
    measure()
    observer.observe(root.value)
  })
  onBeforeUnmount(() => {
    forgetTheme()
    observer.disconnect()
    board.dispose()
  })
  watch(labels, () => board.forget())

  const paint: Paint = (panel, look, wanted) => board.paint(panel, look, devicePixelRatio, wanted)
  return { board, theme, paint }
}
