import { describe, expect, it } from 'vitest'
import { variants as declared } from '@kernels/variants'
import { variantTitle } from '@shared/variant-title'
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

  it('lists CUDA with its devices, or says in one sentence why it cannot work', async () => {
    const { available, reason, devices, variants } = await reportOn(cudaEngine)
    expect(variants.map(({ id }) => id)).toContain('global-atomics')
    if (available) expect(devices[0]).toMatchObject({ id: 'cuda:0', software: false })
    else {
      expect(devices).toEqual([])
      expect(reason).toMatch(
        /^(No NVIDIA GPU found|The NVIDIA (driver|GPU) .+|NVIDIA support .+): choose cpu or webgpu\.$/,
      )
    }
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
    expect(devices.join()).not.toMatch(/swiftshader/i)
  })
})

it.each(declared.map(({ id, title }) => [id, title]))(
  '%s is called %s wherever only its id is known',
  (id, title) => {
    expect(variantTitle(id)).toBe(title)
  },
)
