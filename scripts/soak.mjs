#!/usr/bin/env node
// Ten thousand short runs through one engine host: sets up what is missing, bundles tests/soak, then becomes it.
import { join } from 'node:path'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { paths } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { setUpHeadless } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpHeadless({ webgpu: false })
  await bundle('tests/soak/index.ts', paths.tools, 'soak')
  return attach(hostNode, [join(paths.tools, 'soak.mjs'), ...process.argv.slice(2)])
})
