import { mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calibrationPath, readCosts, writeCosts } from './calibration-file'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'calibration-'))
  path = calibrationPath(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const times = {
  onceMs: 1,
  openMs: 1,
  openPerCoordinateMs: 0,
  fixedMs: 1,
  perCoordinateMs: 0,
  perProductMs: 0,
}
const costs = { 'cpu/fused': { ...times, isRough: false } }

it('keeps costs for nobody else to read', async () => {
  await writeCosts(path, 'machine', costs)
  expect(await readCosts(path, 'machine')).toEqual(costs)
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('reads no file that is far too large', async () => {
  await writeCosts(path, 'machine', costs)
  await truncate(path, 2 ** 40)
  expect(await readCosts(path, 'machine')).toEqual({})
})
