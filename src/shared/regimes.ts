import type { DeviceFacts, PlanProbe, PlanQuestion, Regime } from './plan'

/** A row of a table of regimes; or null, and why there is none, a sentence for each way. */
export type BestRegime<Facts extends DeviceFacts> =
  | { readonly regime: Regime<Facts>; readonly reason: string }
  | { readonly regime: null; readonly reason: string }

/** The first regime that can run and is not passed over for a later one. */
export function bestRegime<Facts extends DeviceFacts>(
  regimes: readonly Regime<Facts>[],
  question: PlanQuestion<Facts>,
): BestRegime<Facts> {
  const refusals = new Set<string>()
  for (const regime of regimes) {
    const refusal = regime.refuses(question)
    if (refusal !== null) refusals.add(refusal)
    const reason = refusal === null ? regime.chosen(question) : null
    if (reason !== null) return { regime, reason }
  }
  return { regime: null, reason: [...refusals].join(' ') }
}

/** The same question, asked when a probe has been made. */
export function withFinding<Facts extends DeviceFacts>(
  question: PlanQuestion<Facts>,
  probe: string,
  found: boolean,
): PlanQuestion<Facts> {
  const findings = { ...question.hints.findings, [probe]: found }
  return { ...question, hints: { ...question.hints, findings } }
}

/** The probe called `name`, unless its finding is known: where it finds nothing, the regime that is best without it. */
export function probeOf<Facts extends DeviceFacts>(
  regimes: readonly Regime<Facts>[],
  question: PlanQuestion<Facts>,
  name: string,
): PlanProbe | null {
  if (question.hints.findings?.[name] !== undefined) return null
  const { regime } = bestRegime(regimes, withFinding(question, name, false))
  return regime === null ? null : { name, otherwise: regime.name }
}

/** Names in the order in which they are tried: a regime whose probe finds nothing makes way for the next, the last stays. */
export function regimeChain<Facts extends DeviceFacts>(
  regimes: readonly Regime<Facts>[],
  question: PlanQuestion<Facts>,
): readonly string[] {
  const { regime } = bestRegime(regimes, question)
  if (regime === null) return []
  const probe = regime.probe?.(question) ?? null
  if (probe === null) return [regime.name]
  return [regime.name, ...regimeChain(regimes, withFinding(question, probe.name, false))]
}
