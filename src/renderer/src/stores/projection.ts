/** The principal components of the points that are clustered, fitted anew when other points are. */
import type { Projection, ProjectionSource } from '@shared/projection'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { ask, componentScores } from '@/api'

const sameSource = (a: ProjectionSource | null, b: ProjectionSource): boolean =>
  a !== null && JSON.stringify(a) === JSON.stringify(b)

export const useProjectionStore = defineStore('projection', () => {
  const fitted = shallowRef<Projection | null>(null)
  const fitting = ref(false)
  let source: ProjectionSource | null = null
  let pending: Promise<Projection> | null = null

  /** The components of a source; asked for once, however many axes want them. */
  async function fit(wanted: ProjectionSource): Promise<Projection> {
    if (pending && sameSource(source, wanted)) return pending
    source = wanted
    fitting.value = true
    const mine = ask('projection.fit', wanted)
    pending = mine
    try {
      const projection = await mine
      if (pending === mine) fitted.value = projection
      return projection
    } catch (thrown) {
      if (pending === mine) forget()
      throw thrown
    } finally {
      if (pending === mine || pending === null) fitting.value = false
    }
  }

  /** What was fitted to another dataset, or by an engine process that is gone. The engine host keeps the last two. */
  function forget(): void {
    if (fitted.value) ask('projection.close', { projectionId: fitted.value.id }).catch(() => null)
    source = null
    pending = null
    fitted.value = null
    fitting.value = false
  }

  return { fitted, fitting, fit, forget, scores: componentScores }
})
