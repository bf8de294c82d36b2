import { describe, expect, it } from 'vitest'
import { blobs, optionsFor } from './cpu/testing/points'
import { cudaEngine } from './cuda'

const availability = await cudaEngine.availability()
const points = blobs(600, 3, 5)
const config = optionsFor({ variant: 'global-atomics', k: 4 })

describe.skipIf(availability.available)('the CUDA engine where it cannot work', () => {
  it('has no devices and no versions, and says why', async () => {
    expect(await cudaEngine.devices()).toEqual([])
    expect(await cudaEngine.versions()).toEqual({})
    expect(availability).toMatchObject({ reason: expect.stringMatching(/^[A-Z].+\.$/) as string })
  })

  it('refuses a session with the same sentence', async () => {
    await expect(cudaEngine.open(points, config, null)).rejects.toMatchObject({
      kind: 'engine-missing',
      code: 'cuda.missing',
      message: availability.available ? '' : availability.reason,
    })
  })
})

if (!availability.available) console.warn(`CUDA engine tests are skipped: ${availability.reason}`)

describe.skipIf(!availability.available)('the CUDA engine', () => {
  it('names the driver and what it was built with', async () => {
    expect(await cudaEngine.versions()).toMatchObject({
      'cuda driver': expect.stringMatching(/^(\d+(\.\d+)+, )?CUDA \d+\.\d+$/) as string,
      'cuda compiler': expect.stringMatching(/^nvcc \d+/) as string,
    })
  })

  it('names the devices there are to who asks for another', async () => {
    await expect(cudaEngine.open(points, config, 'cuda:99')).rejects.toMatchObject({
      kind: 'engine-missing',
      message: expect.stringContaining('cuda:0') as string,
    })
  })

  it('refuses a variant that it does not have', async () => {
    await expect(cudaEngine.open(points, { ...config, variant: 'openmp' }, null)).rejects.toThrow(/openmp/)
  })
})
