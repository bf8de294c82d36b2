#!/usr/bin/env node
// The window against the dialogs of a real desktop, answered by keys: the end-to-end suite puts answers in their place. Takes Xvfb and
// xdotool (apt-get install xvfb xdotool). E2E_SCREENSHOTS=FOLDER keeps pictures of the whole display (with ImageMagick's `import`).
import { runProgram } from './lib/failure.mjs'
import { hostNode } from './lib/host-node.mjs'
import { at } from './lib/project.mjs'
import { attach, firstLine } from './lib/run.mjs'
import { electronEnvironment } from './lib/sandbox.mjs'
import { setUpWindow } from './lib/setup.mjs'

/** As `automake` has it: neither passed nor failed. */
const skipped = 77

await runProgram(async () => {
  const lacking = ['xvfb-run', 'xdotool'].filter(
    (tool) => firstLine('sh', ['-c', `command -v ${tool}`]) === null,
  )
  if (lacking.length > 0) {
    console.error(`SKIPPED: ${lacking.join(' and ')} not found (apt-get install xvfb xdotool).`)
    return skipped
  }
  await setUpWindow({ headless: true })
  const display = ['-a', '-s', '-screen 0 1600x1000x24']
  const vitest = [at('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'dialogs']
  const args = [...display, hostNode, ...vitest, ...process.argv.slice(2)]
  return attach('xvfb-run', args, { env: electronEnvironment() })
})
