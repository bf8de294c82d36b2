import { variants } from '@kernels/variants'
import type { WebgpuQuestion } from '@kernels/common/webgpu/variant'
import { asStudied } from '@shared/plan'
import type { SessionConfig } from '../engine'
import type { Planned } from './open-planned'

/** The regime that the configuration names, else the one that the variant's table chooses. */
export function plannedFor({ variant, regime, otherwise }: SessionConfig, question: WebgpuQuestion): Planned {
  if (regime !== undefined) return { regime, reason: 'It was asked for.', otherwise: otherwise ?? null }
  const table = variants.find(({ id }) => id === variant)?.regimes?.webgpu ?? []
  for (const row of table) {
    const reason = row.refuses(question) === null ? row.chosen(question) : null
    if (reason !== null)
      return { regime: row.name, reason, otherwise: row.probe?.(question)?.otherwise ?? null }
  }
  return { regime: asStudied, reason: 'It is kept as its study has it.', otherwise: null }
}
