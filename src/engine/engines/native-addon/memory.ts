import { LabError } from '@shared/errors'
import type { RunShape } from '@shared/variant'
import type { VariantDeclaration } from '@shared/variant-declaration'
import { sizeOf } from '../../memory'

/** Where a variant's workspace lies, as a sentence has it, and the start of its error code. */
export interface AvailableMemory {
  readonly engine: 'cpu' | 'cuda'
  /** "memory" or "device memory". */
  readonly words: string
  readonly freeBytes: number
}

/**
 * Asked before anything is allocated: a system that lends more memory than it has would end the process later.
 * @throws LabError `input` when the variant's own workspace does not fit into what is free.
 */
export function requireWorkspace(
  variant: VariantDeclaration,
  shape: RunShape,
  memory: AvailableMemory,
): void {
  const need = variant.workspaceBytes?.(shape) ?? 0
  if (need <= memory.freeBytes) return
  throw new LabError(
    'input',
    `${memory.engine}.workspace`,
    `The variant '${variant.id}' would need ${sizeOf(need)} of ${memory.words} for ${shape.n} points and k = ${shape.k}, but ${sizeOf(memory.freeBytes)} are free: choose another variant, a smaller k or fewer rows.`,
  )
}
