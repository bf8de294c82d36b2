import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { hostEnvironment, withMemory } from './host-environment'

/** What a Node started with an environment says of its options. */
function optionsOfNode(env: NodeJS.ProcessEnv): string {
  const { stdout } = spawnSync(process.execPath, ['-p', 'process.title'], { env, encoding: 'utf8' })
  return stdout.trim()
}

it('in a package no Node option, module folder or certificate reaches the engine host, whatever its case', () => {
  const ours = { HOME: '/home/me', LANG: 'C', CENTROID_LAB_CACHE_DIR: '/c', CENTROID_LAB_THREADS: '2' }
  const theirs = {
    NODE_OPTIONS: '--title=taken-over',
    node_options: '--title=taken-over',
    NODE_PATH: '/evil',
    NODE_EXTRA_CA_CERTS: '/evil.pem',
    NODE_V8_COVERAGE: '/evil',
    NODE_REPL_EXTERNAL_MODULE: '/evil.js',
    OPENSSL_CONF: '/evil.cnf',
    SSL_CERT_FILE: '/evil.pem',
    CENTROID_LAB_NODE: '/evil/node',
    CENTROID_LAB_ADDON_DIR: '/evil',
    CENTROID_LAB_SWIFTSHADER_DIR: '/evil',
    CENTROID_LAB_ISA: 'scalar',
    CENTROID_LAB_CUDA_MEMORY: '1',
  }
  expect(hostEnvironment({ ...ours, ...theirs }, true)).toEqual(ours)
  expect(hostEnvironment({ ...ours, ...theirs }, false)).toEqual({ ...ours, ...theirs })
})

it('a Node so started is not steered', () => {
  const env = { ...process.env, NODE_OPTIONS: '--title=taken-over' }
  expect(optionsOfNode(hostEnvironment(env, false))).toBe('taken-over')
  expect(optionsOfNode(hostEnvironment(env, true))).not.toBe('taken-over')
})

it('what was set of memory in the window goes before what the program was started with', () => {
  const env = { HOME: '/home/me', CENTROID_LAB_MEMORY_LIMIT: '1G', CENTROID_LAB_SCRATCH_DIR: '/a' }
  expect(withMemory(env, { memoryLimit: '', deviceMemory: '', scratchFolder: '' })).toEqual(env)
  expect(withMemory(env, { memoryLimit: '2G', deviceMemory: '512M', scratchFolder: '/b' })).toEqual({
    ...{ HOME: '/home/me', CENTROID_LAB_MEMORY_LIMIT: '2G', CENTROID_LAB_DEVICE_MEMORY: '512M' },
    CENTROID_LAB_SCRATCH_DIR: '/b',
  })
})
