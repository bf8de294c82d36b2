#!/usr/bin/env node
// The command line in development: sets up what is missing (said on standard error), then becomes the program.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { become, callersFolder } from './lib/become.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { hasDisplay, paths } from './lib/project.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpCommandLine, setUpWindow } from './lib/setup.mjs'

const args = process.argv.slice(2)

await runProgram(async () => {
  const window = opensWindow()
  if (window) await setUpWindow()
  else await setUpCommandLine({ webgpu: args.includes('webgpu') || args.includes('--engine=webgpu') })
  return become(hostNode, [paths.cli, ...args], window ? electronEnvironment() : process.env)
})

/** Nothing, or a data file alone, opens the window, which needs more set-up than the commands. */
function opensWindow() {
  if (args.length > 1 || !hasDisplay()) return false
  if (args.length === 0) return true
  return statSync(resolve(callersFolder(), args[0]), { throwIfNoEntry: false })?.isFile() === true
}
