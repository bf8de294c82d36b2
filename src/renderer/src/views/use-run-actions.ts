/** What the menu of a run of the list does. */
import { usePredictionStore } from '@/stores/prediction'
import { useRunStore } from '@/stores/run'
import { useVerificationStore } from '@/stores/verification'
import type { RunAction } from '@/components/reuse/RunMenu.vue'
import type { Exports } from './exports'

export function useRunActions(exports: Exports): (action: RunAction, runId: string) => void {
  const prediction = usePredictionStore()
  const run = useRunStore()
  const verification = useVerificationStore()
  return (action, runId) => {
    if (action === 'assign') void prediction.choose(runId)
    else if (action === 'verify') void verification.verifyRun(runId)
    else if (action === 'python') void exports.copyPython(runId)
    else void exports.copyCommandLine(run.results.find((one) => one.record.id === runId)?.record)
  }
}
