import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Spool } from '@engine/host/spool'
import type { Ended } from './program'
import type { Point, World } from './world'

/**
 * Cancelled after a while: the run says truly whether it is kept, and what is kept is resumed. Written for the first time after
 * two seconds.
 */
export const checkpointOnFullDisk: Point = (world) => {
  const fits = world.random() < 0.3
  return world.onDisk(fits ? 2 ** 26 : world.random() * 1000, async ({ folder, before }) => {
    const ended = await cancelled(world, folder, before)
    const names = readdirSync(folder)
    const isKept = names.length === 1 && names[0].endsWith('.checkpoint')
    if (names.length > 0 && !isKept) return `${names.join()} is left in the folder of the checkpoint`
    const fault = faultOfCancel(ended)
    if (fault !== null) return fault
    const promised = /; (its progress|an earlier checkpoint|nothing)[^\n]*\.\n$/.exec(ended.stderr)?.[1]
    const wanted = isKept ? await promiseFor(folder, ended) : 'nothing'
    if (promised !== wanted || (fits && promised !== 'its progress'))
      return `${wanted} is kept, but it says: ${ended.stderr}`
    if (!isKept) return null
    const { stderr } = await cancelled(world, folder, before)
    return stderr.includes('Going on after') ? null : `it does not go on: ${stderr}`
  })
}

/**
 * One page has room for the first that is written, and none for the next beside it: which of the two is the first depends on how
 * long the program took to begin.
 */
async function promiseFor(folder: string, { cancelledMs }: Cancelled): Promise<string> {
  const [kept] = (await new Spool(folder).checkpoints()).values()
  return kept.savedMs < cancelledMs ? 'an earlier checkpoint' : 'its progress'
}

type Cancelled = Ended & { readonly cancelledMs: number }

async function cancelled(world: World, folder: string, before: readonly string[]): Promise<Cancelled> {
  const endless = ['--stop', 'none', '--max-iterations', '100000000', '--checkpoint', folder]
  const args = ['cluster', world.data, '-k', '5', '--engine', 'cpu', '--variant', 'sequential', ...endless]
  const later = 2500 + world.random() * 2000
  let cancelledMs = 0
  const cancel = (child: ChildProcess) => {
    cancelledMs = Date.now()
    child.kill('SIGINT')
  }
  const ended = await world.run(args, {
    before,
    meanwhile: (child) => setTimeout(() => cancel(child), later),
  })
  return { ...ended, cancelledMs }
}

function faultOfCancel({ status, stderr }: Ended): string | null {
  if (status !== 130) return `status ${status}: ${stderr}`
  return /ENOSPC|EFBIG/.test(stderr) ? `not a sentence for people: ${stderr}` : null
}
