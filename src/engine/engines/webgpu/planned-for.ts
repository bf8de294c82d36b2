import { variants } from '@kernels/variants'
import type { WebgpuQuestion } from '@kernels/common/webgpu/variant'
import { makePlan, planOfBuilt } from '../../plan/make-plan'
import type { SessionConfig } from '../engine'
import type { Planned } from './open-planned'

/**
 * The regime that the configuration names, else the one that the variant's table chooses.
 * @throws LabError `input` as makePlan
 */
export function plannedFor(
  { variant: id, regime, otherwise }: SessionConfig,
  question: WebgpuQuestion,
): Planned {
  const variant = variants.find((declared) => declared.id === id) ?? { id }
  const plan = makePlan(variant, question, regime ?? null)
  const other = (regime === undefined ? plan.probe?.otherwise : otherwise) ?? null
  const reasonOf = (built: string) => planOfBuilt(variant, question, built)?.reason ?? plan.reason
  return {
    regime: plan.regime,
    reason: reasonOf(plan.regime),
    otherwise: other,
    reasonOtherwise: other === null ? '' : reasonOf(other),
  }
}
