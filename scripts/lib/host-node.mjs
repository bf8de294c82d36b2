import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'
import { isStamped, stamp } from './fingerprint.mjs'
import { paths } from './project.mjs'
import { firstLine } from './run.mjs'

const stampFile = join(paths.runtime, 'host-node.stamp')
const exists = process.platform === 'linux' && process.arch === 'x64'

/** The Node that runs engines, tests and builds: the pinned one where it exists, else the one in use. */
export const hostNode = exists ? paths.pinnedNode : process.execPath

/** Sees that the pinned Node is there and starts. */
export const hostNodeStep = {
  name: 'Node of the engines',
  isDone: () => isRunnable() && isStamped(stampFile, identity()),
  run: async () => {
    const version = isRunnable() ? firstLine(hostNode, ['--version']) : null
    if (version === null) {
      throw new SetupFailure(
        `The pinned Node ${hostNode} does not start; delete node_modules and run the command again.`,
      )
    }
    stamp(stampFile, identity())
    return version
  },
}

function isRunnable() {
  try {
    accessSync(hostNode, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function identity() {
  const { size, mtimeMs } = statSync(hostNode)
  return `${hostNode} ${size} ${mtimeMs}`
}
