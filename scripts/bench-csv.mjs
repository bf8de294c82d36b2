#!/usr/bin/env node
// Readers of CSV files beside each other: sets up what is missing, bundles the program, then becomes it.
import { join } from 'node:path'
import { become } from './lib/become.mjs'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { paths } from './lib/project.mjs'
import { setUpEngines } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpEngines()
  await bundle('bench/csv/index.ts', paths.tools, 'bench-csv')
  return become(hostNode, [join(paths.tools, 'bench-csv.mjs'), ...process.argv.slice(2)], process.env)
})
