import { join } from 'node:path'
import { fixedRun } from './full-disks'
import { faultOfFiles } from './judge'
import { filesOf } from './program'
import type { Point } from './world'

/** Killed at any moment: nothing half-written has a name, and the next start in that folder removes the rest. */
export const killed: Point = async (world) => {
  const args = ['cluster', world.data, '-k', '5', ...fixedRun, '--history', '--steps', '3', '--force', '-o']
  const whole = await world.whole(args, 'out')
  const folder = world.folder('killed')
  const later = world.random() * whole.ended.ms
  const meanwhile = (child: { kill(signal: 'SIGKILL'): void }) =>
    void setTimeout(() => child.kill('SIGKILL'), later)
  await world.run([...args, join(folder, 'out')], { meanwhile })
  const named = [...filesOf(folder)].filter(([name]) => !name.split('/').some((part) => part.startsWith('.')))
  const fault = faultOfFiles(new Map(named), whole.files)
  if (fault !== null) return `after ${Math.round(later)} ms ${fault}`
  const again = await world.run([...args, join(folder, 'out')])
  if (again.status !== 0) return `the next start fails: ${again.stderr}`
  const left = filesOf(folder)
  return left.size === whole.files.size
    ? faultOfFiles(left, whole.files)
    : 'files of the next start are missing'
}
