import type { KeptSession } from '@shared/ipc'
import { plural } from './numbers'

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const dayMs = 86_400_000

/** What a kept session holds, e.g. "3 runs, and one to go on with". */
export function keptWords({ runs, isCutOff }: Pick<KeptSession, 'runs' | 'isCutOff'>): string {
  if (!isCutOff) return plural(runs, 'run')
  return runs === 0 ? 'a run to go on with' : `${plural(runs, 'run')}, and one to go on with`
}

/** When it was used, as a person says it: "today, 14:05", "yesterday, 14:05", "3 Nov 2026, 14:05". */
export function whenWords(iso: string, now = new Date()): string {
  const then = new Date(iso)
  const days = Math.round((startOfDay(now) - startOfDay(then)) / dayMs)
  const day = days === 0 ? 'today' : days === 1 ? 'yesterday' : date.format(then)
  return `${day}, ${clock.format(then)}`
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
}
