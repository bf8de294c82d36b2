#!/usr/bin/env node
// Makes one folder that holds all that a GPU machine needs which has no npm packages, and no network: Node, the addons as they are
// built here (npm run build:cuda first, for CUDA), Dawn, the benchmark, the parity suite, and a script that runs it all.
//   npm run gpu:bundle [-- FOLDER] [--archive]
// The folder is .native/gpu-bundle unless another is named; with --archive a .tar.xz of it lies beside it.
import { callersFolder } from './lib/become.mjs'
import { resolve } from 'node:path'
import { runProgram } from './lib/failure.mjs'
import { archiveBundle, makeGpuBundle } from './lib/gpu-bundle.mjs'
import { at } from './lib/project.mjs'
import { setUpEngines } from './lib/setup.mjs'

const args = process.argv.slice(2)

await runProgram(async () => {
  await setUpEngines()
  const named = args.find((argument) => !argument.startsWith('-'))
  const folder = named === undefined ? at('.native', 'gpu-bundle') : resolve(callersFolder(), named)
  const { missing } = await makeGpuBundle(folder)
  for (const what of missing) console.error(`left out: ${what}`)
  if (args.includes('--archive')) console.error(await archiveBundle(folder))
  console.error(`${folder}: take it to the GPU machine and run run.sh there`)
  return 0
})
