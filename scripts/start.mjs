#!/usr/bin/env node
// Sets up what is missing, then opens the window; with no display it does the main job on the examples.
import { isAbsolute, resolve } from 'node:path'
import { become, callersFolder } from './lib/become.mjs'
import { electronProgram } from './lib/electron-runtime.mjs'
import { runExamples } from './lib/examples.mjs'
import { runProgram } from './lib/failure.mjs'
import { hasDisplay, root } from './lib/project.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpHeadless, setUpWindow } from './lib/setup.mjs'

const args = process.argv.slice(2)

await runProgram(hasDisplay() ? openWindow : workHeadless)

async function openWindow() {
  const steps = await setUpWindow()
  if (steps > 0) console.error('set-up: done, the window opens')
  const files = args.map((argument) => (isFile(argument) ? resolve(callersFolder(), argument) : argument))
  return become(electronProgram, [root, ...files], electronEnvironment())
}

async function workHeadless() {
  await setUpHeadless({ webgpu: true })
  return runExamples(args.find(isFile))
}

/** @param {string} argument */
function isFile(argument) {
  return isAbsolute(argument) || !argument.startsWith('-')
}
