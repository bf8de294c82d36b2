#!/usr/bin/env node
// npm run test:hashes -- [--engine cpu|cuda|webgpu] [--every N] [--part I/N] [--software] [--record]
// Whole runs of `fused` on every engine, regime, instruction set and number of threads there is, against hashes of exact
// arithmetic (tests/hashes). --every N: each N-th case; --part I/N: the I-th of N parts. --record writes those hashes anew,
// after a change of the contract.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './lib/bundle.mjs'
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { attach } from './lib/run.mjs'
import { setUpEngines } from './lib/setup.mjs'

await runProgram(async () => {
  const args = process.argv.slice(2)
  const isRecording = args.includes('--record')
  await setUpEngines()
  // Beside the packages, of which `webgpu` is looked up from there.
  const folder = mkdtempSync(at('node_modules', '.hashes-'))
  try {
    const program = isRecording ? 'record-hashes' : 'run-hashes'
    await bundle(`tests/hashes/${program}.ts`, folder, program)
    const rest = isRecording ? [at('tests', 'hashes', 'expected.json')] : args
    return await attach(hostNode, [join(folder, `${program}.mjs`), ...rest])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
