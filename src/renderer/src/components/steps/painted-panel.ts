/** A panel that a worker paints: again when what it shows has changed, the newest wins. */
import { toErrorReport } from '@shared/errors'
import { onBeforeUnmount, ref, useTemplateRef, watch } from 'vue'
import type { StepPanel } from '@/plots/steps/panel'
import type { BoardLook } from '@/plots/steps/steps-board'

/** Null once nobody wants it any more. */
export type Paint = (panel: StepPanel, look: BoardLook, wanted: () => boolean) => Promise<ImageBitmap | null>

interface Painted {
  readonly panel: StepPanel
  readonly look: BoardLook
  readonly paint: Paint
}

/** For a template with a canvas of that name. @param inSight what is out of sight is painted when it comes into it */
export function usePaintedPanel(props: Painted, inSight: () => boolean = () => true) {
  const canvas = useTemplateRef<HTMLCanvasElement>('canvas')
  const drawn = ref(false)
  const failure = ref('')
  let newest = 0

  async function draw(): Promise<void> {
    const mine = ++newest
    if (!inSight()) return
    try {
      const bitmap = await props.paint(props.panel, props.look, () => mine === newest)
      if (mine !== newest || !bitmap) return bitmap?.close()
      failure.value = ''
      drawn.value = true
      canvas.value?.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
    } catch (thrown) {
      if (mine === newest) failure.value = toErrorReport(thrown).message
    }
  }

  watch(() => [inSight(), props.panel, props.look] as const, draw, { immediate: true, flush: 'post' })
  onBeforeUnmount(() => newest++)
  return { drawn, failure }
}
