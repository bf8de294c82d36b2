import { readdirSync } from 'node:fs'
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
    // One page has room for the first that is written, and none for the next beside it.
    const wanted = isKept ? (fits ? 'its progress' : 'an earlier checkpoint') : 'nothing'
    if (promised !== wanted || (fits && !isKept)) return `${wanted} is kept, but it says: ${ended.stderr}`
    if (!isKept) return null
    const { stderr } = await cancelled(world, folder, before)
    return stderr.includes('Going on after') ? null : `it does not go on: ${stderr}`
  })
}

function cancelled(world: World, folder: string, before: readonly string[]): Promise<Ended> {
  const endless = ['--stop', 'none', '--max-iterations', '100000000', '--checkpoint', folder]
  const args = ['cluster', world.data, '-k', '5', '--engine', 'cpu', '--variant', 'sequential', ...endless]
  const later = 2500 + world.random() * 2000
  return world.run(args, { before, meanwhile: (child) => setTimeout(() => child.kill('SIGINT'), later) })
}

function faultOfCancel({ status, stderr }: Ended): string | null {
  if (status !== 130) return `status ${status}: ${stderr}`
  return /ENOSPC|EFBIG/.test(stderr) ? `not a sentence for people: ${stderr}` : null
}
