#!/usr/bin/env node
// The native tests of the CPU kernels under AddressSanitizer and UndefinedBehaviorSanitizer (leaks among what is looked for):
//   npm run test:memory [-- VARIANT ...]
// Not part of `npm test`: building everything once more with sanitizers takes minutes; afterwards only what changed is built.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './lib/failure.mjs'
import { at } from './lib/project.mjs'
import { attach, capture } from './lib/run.mjs'
import { setUpEngines } from './lib/setup.mjs'

const build = at('.native', 'sanitized')
const failure = 'The native tests could not be built with sanitizers; see the lines above.'
/** The first finding ends the run with a status of its own, so that it cannot be taken for a test that failed. */
const sanitizers = {
  ASAN_OPTIONS: 'detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:exitcode=99',
  UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1:exitcode=99',
}

await runProgram(async () => {
  await setUpEngines()
  console.error('test:memory: builds the native tests with sanitizers ...')
  await capture('cmake', ['-S', at('kernels'), '-B', build, '-DCENTROID_LAB_SANITIZE=address,undefined'], {
    failure,
  })
  await capture('cmake', ['--build', build, `-j${availableParallelism()}`, '--target', 'native_tests'], {
    failure,
  })
  const status = await attach(join(build, 'native_tests'), process.argv.slice(2), {
    env: { ...process.env, ...sanitizers },
  })
  console.log(status === 0 ? 'Nothing was found.' : `Ended with status ${status}: see the lines above.`)
  return status
})
