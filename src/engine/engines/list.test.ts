import { describe, expect, it } from 'vitest'
import { variants as declared } from '@kernels/variants'
import { engineIds } from '@shared/variant'
import { defaultRunConfig } from '@shared/run-config'
import { machineFacts } from '../machine'
import { cudaEngine } from './cuda'
import { listEngines, reportOn } from './list'

describe('the list of engines', () => {
  it('names every engine, each with devices or with a reason', async () => {
    const reports = await listEngines()
    expect(reports.map(({ id }) => id)).toEqual([...engineIds])
    for (const { available, reason, devices } of reports) {
      if (available) expect([reason, devices.length > 0]).toEqual([null, true])
      else expect([reason?.endsWith('.'), devices.length]).toEqual([true, 0])
    }
  })

  it('offers a variant only where its folder declares it and the engine has it', async () => {
    const engine = {
      ...cudaEngine,
      id: 'cpu' as const,
      variants: () => [
        { id: 'sequential', deterministic: true, exact: true },
        { id: 'undeclared', deterministic: true, exact: true },
      ],
    }
    const { variants } = await reportOn(engine)
    const sequential = declared.find(({ id }) => id === 'sequential')
    expect(variants).toEqual([
      {
        id: 'sequential',
        title: sequential?.title,
        summary: sequential?.summary,
        from: sequential?.from,
        deterministic: true,
        exact: true,
      },
    ])
  })

  it('says in one sentence that CUDA is not there yet, and offers nothing on it', async () => {
    expect(await reportOn(cudaEngine)).toEqual({
      id: 'cuda',
      available: false,
      reason: 'This version has no CUDA engine yet; choose cpu or webgpu.',
      devices: [],
      variants: [],
    })
  })
})

describe('the machine', () => {
  it('is named by processor, system and versions', async () => {
    const facts = await machineFacts(defaultRunConfig.engine)
    expect(facts.cpu).not.toBe('')
    expect(facts.cores).toBeGreaterThan(0)
    expect(facts.memoryBytes).toBeGreaterThan(1e8)
    expect(facts.versions).toMatchObject({ app: expect.stringMatching(/^\d+\.\d+\.\d+/) as string })
    expect(facts.versions.node).toBe(process.versions.node)
  })

  it('is described without the engines that were not asked for', async () => {
    const { devices } = await machineFacts('cuda')
    expect(devices).toEqual([])
  })
})
