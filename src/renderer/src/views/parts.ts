/**
 * Parts of the window that its first screen does not show: it is drawn before they are read, and they are read before anybody
 * asks for them.
 */
import { LabError } from '@shared/errors'
import { defineAsyncComponent, type Component } from 'vue'
import { t } from '@/i18n'
import { useAppStore } from '@/stores/app'
import { firstScreenDrawn } from './first-screen'

type Reader = () => Promise<{ readonly default: Component }>

const readers: Reader[] = []

function part(read: Reader) {
  readers.push(read)
  return defineAsyncComponent({
    loader: read,
    delay: 0,
    onError: (error, _retry, fail) => {
      useAppStore().fail(unreadable(error))
      fail()
    },
  })
}

// In this order each brings little that those before it did not: no reading holds up a frame for long.
export const AboutDialog = part(() => import('@/components/AboutDialog.vue'))
export const ShortcutsDialog = part(() => import('@/components/ShortcutsDialog.vue'))
export const GenerateDialog = part(() => import('@/components/generate/GenerateDialog.vue'))
export const ImportView = part(() => import('./ImportView.vue'))
export const StepsView = part(() => import('./StepsView.vue'))
export const BenchmarkView = part(() => import('./benchmark/BenchmarkView.vue'))
export const ReuseDialogs = part(() => import('./ReuseDialogs.vue'))
export const Workplace = part(() => import('./Workplace.vue'))
export const AbsentDataset = part(() => import('./AbsentDataset.vue'))

/** Reads them all, one after the other, when the first screen is drawn. What cannot be read is reported when it is needed. */
export async function readParts(): Promise<void> {
  await firstScreenDrawn()
  for (const read of readers) {
    await read().catch(() => null)
    await pause()
  }
}

/** A frame may be drawn, a click answered. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function unreadable(error: Error): LabError {
  return new LabError('internal', 'window.part', t('window.aPartOfTheWindowCannot'), error.message)
}
