import { variants } from '@kernels/variants'
import type { WebgpuQuestion } from '@kernels/common/webgpu/variant'
import { LabError } from '@shared/errors'
import { asStudied, type Regime, type WebgpuFacts } from '@shared/plan'
import { bestRegime, withFinding } from '@shared/regimes'
import type { VariantId } from '@shared/variant'
import type { SessionConfig } from '../engine'
import type { Planned } from './open-planned'

/**
 * The regime that the configuration names, else the one that the variant's table chooses.
 * @throws LabError `input` where the regime named cannot run.
 */
export function plannedFor({ variant, regime, otherwise }: SessionConfig, question: WebgpuQuestion): Planned {
  const table = tableOf(variant)
  if (regime !== undefined) {
    requireRegime(variant, table, question, regime)
    const best = table === undefined ? null : bestRegime(table, question)
    const reason = best?.regime?.name === regime ? best.reason : 'It was asked for by name.'
    return { regime, reason, otherwise: otherwise ?? null, reasonOtherwise: reasonWithout(table, question) }
  }
  if (table === undefined) {
    const reason = 'It is kept as its study has it.'
    return { regime: asStudied, reason, otherwise: null, reasonOtherwise: reason }
  }
  const { regime: row, reason } = bestRegime(table, question)
  return {
    regime: row?.name ?? asStudied,
    reason,
    otherwise: row?.probe?.(question)?.otherwise ?? null,
    reasonOtherwise: reasonWithout(table, question),
  }
}

/** @throws LabError `input` where the table says that the regime cannot run; one without this regime is refused at opening. */
function requireRegime(
  variant: VariantId,
  table: readonly Regime<WebgpuFacts>[] = [],
  question: WebgpuQuestion,
  regime: string,
): void {
  const refusal = table.find(({ name }) => name === regime)?.refuses(question) ?? null
  if (refusal === null) return
  const message = `The regime '${regime}' of '${variant}' cannot run on ${question.device.name}: ${refusal}`
  throw new LabError('input', 'webgpu.refused', message)
}

function tableOf(variant: VariantId): readonly Regime<WebgpuFacts>[] | undefined {
  return variants.find(({ id }) => id === variant)?.regimes?.webgpu
}

/** Why the plan's other regime is taken, where its probe finds nothing. */
function reasonWithout(table: readonly Regime<WebgpuFacts>[] = [], question: WebgpuQuestion): string {
  const { regime } = bestRegime(table, question)
  const probe = regime?.probe?.(question) ?? null
  return probe === null ? '' : bestRegime(table, withFinding(question, probe.name, false)).reason
}
