#!/usr/bin/env node
// The command line in development: sets up what is missing (said on standard error), then becomes the program.
import { become } from './lib/become.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { paths } from './lib/project.mjs'
import { setUpCommandLine } from './lib/setup.mjs'

const args = process.argv.slice(2)

await runProgram(async () => {
  await setUpCommandLine({ webgpu: args.includes('webgpu') || args.includes('--engine=webgpu') })
  return become(hostNode, [paths.cli, ...args])
})
