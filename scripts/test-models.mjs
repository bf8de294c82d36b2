#!/usr/bin/env node
// npm run test:models
// Exported models read by ONNX Runtime, by python3 with numpy and by an interpreter of PMML written from the standard: prints the
// table of docs/guide.md (equal labels over all rows) and holds it to what they answered. Takes a python3 with numpy.
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { setUpEngines } from './lib/setup.mjs'

await runProgram(async () => {
  await setUpEngines()
  const vitest = [
    at('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project',
    'unit',
    'src/engine/export/models',
  ]
  return attach(hostNode, vitest, { env: { ...process.env, CENTROID_LAB_PRINT_TABLE: '1' } })
})
