/** Undo and redo of the settings: whole drafts, since they are small and every field may depend on another. */
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { ConfigDraft } from '@/text/validation'

const maxSteps = 200
/** Typing in one field joins into one step as long as no pause is longer. */
const typingMs = 800
/** Fields that are typed rather than chosen. */
const typed: ReadonlySet<keyof ConfigDraft> = new Set([
  'k',
  'tolerance',
  'seed',
  'maxIterations',
  'nInit',
  'workers',
])

const keysOf = (draft: ConfigDraft) => Object.keys(draft) as (keyof ConfigDraft)[]

function changedFields(a: ConfigDraft, b: ConfigDraft): (keyof ConfigDraft)[] {
  return keysOf(b).filter((key) => !sameValue(a[key], b[key]))
}

function sameValue(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((value, i) => value === b[i])
}

/** Watches a draft: what changes in one turn is one step. */
export function useDraftSteps(draft: Ref<ConfigDraft>) {
  const past = shallowRef<readonly ConfigDraft[]>([])
  const future = shallowRef<readonly ConfigDraft[]>([])
  /** The draft as it was when the last step was taken down. */
  let recorded = { ...draft.value }
  let typing: { readonly field: keyof ConfigDraft; readonly at: number } | null = null
  /** While a slider is held: whether its one step was taken down already. */
  let gesture: { isRecorded: boolean } | null = null
  const isHeld = ref(false)

  /** Takes down what changed since the last step. */
  function record(): void {
    const changed = changedFields(recorded, draft.value)
    if (changed.length === 0) return
    const before = recorded
    recorded = { ...draft.value }
    future.value = []
    if (!continues(changed)) past.value = [...past.value, before].slice(-maxSteps)
    typing = typedField(changed)
    if (gesture) gesture.isRecorded = true
    // Typed and taken back: nothing is left to undo.
    if (changedFields(past.value.at(-1) ?? before, recorded).length === 0) {
      past.value = past.value.slice(0, -1)
      typing = null
      if (gesture) gesture.isRecorded = false
    }
  }

  /** From here on all changes are one step, however long it takes, until `endGesture`. */
  function beginGesture(): void {
    record()
    gesture = { isRecorded: false }
    isHeld.value = true
  }

  function endGesture(): void {
    if (!gesture) return
    record()
    gesture = null
    isHeld.value = false
    typing = null
  }

  function typedField(changed: readonly (keyof ConfigDraft)[]): typeof typing {
    const [field] = changed
    return changed.length === 1 && typed.has(field) ? { field, at: performance.now() } : null
  }

  function continues(changed: readonly (keyof ConfigDraft)[]): boolean {
    if (gesture) return gesture.isRecorded
    const now = typedField(changed)
    return now !== null && typing?.field === now.field && now.at - typing.at <= typingMs
  }

  // After every other watcher of the turn, so that what follows from a choice belongs to its step.
  watch(() => ({ ...draft.value }), record, { flush: 'post' })

  function go(to: ConfigDraft): void {
    draft.value = { ...to }
    recorded = { ...to }
    typing = null
  }

  function undo(): void {
    record()
    const before = past.value.at(-1)
    if (before === undefined) return
    past.value = past.value.slice(0, -1)
    future.value = [...future.value, recorded]
    go(before)
  }

  function redo(): void {
    record()
    const after = future.value.at(-1)
    if (after === undefined) return
    future.value = future.value.slice(0, -1)
    past.value = [...past.value, recorded]
    go(after)
  }

  /** A change that nobody made by hand: it becomes part of the step before it. */
  function withoutStep(change: () => void): void {
    record()
    change()
    recorded = { ...draft.value }
    typing = null
  }

  /** Another dataset: the features of the old one must not come back. */
  function clear(): void {
    past.value = []
    future.value = []
    recorded = { ...draft.value }
    typing = null
  }

  const canUndo = computed(() => past.value.length > 0)
  const canRedo = computed(() => future.value.length > 0)
  return { undo, redo, canUndo, canRedo, withoutStep, clear, beginGesture, endGesture, isHeld }
}
