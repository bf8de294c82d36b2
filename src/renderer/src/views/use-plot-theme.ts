/** The colours of plots on an element, followed as the theme changes; null until it is there. */
import { onBeforeUnmount, onMounted, shallowRef, type Ref } from 'vue'
import { onThemeChange, readTheme, type PlotTheme } from '@/plots/theme'

export function usePlotTheme(element: Readonly<Ref<HTMLElement | null>>): Readonly<Ref<PlotTheme | null>> {
  const theme = shallowRef<PlotTheme | null>(null)
  let forget = (): void => undefined
  function read(): void {
    if (element.value) theme.value = readTheme(element.value)
  }
  onMounted(() => {
    read()
    forget = onThemeChange(read)
  })
  onBeforeUnmount(() => forget())
  return theme
}
