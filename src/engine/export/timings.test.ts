import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, describe, it } from 'vitest'
import type { RunRecord } from '@shared/run-record'
import { runOf } from './testing/run-of'
import { writeTimings } from './timings'

const never = new AbortController().signal
let folder: string
let record: RunRecord

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timings-'))
  await writeFile(join(folder, 'my, points.csv'), 'a,b\n0,0\n1,0\n9,9\n8,9\n')
  record = (await runOf(join(folder, 'my, points.csv'), { k: 2 })).record
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function lines(...records: RunRecord[]): Promise<string[]> {
  const path = join(folder, 'timings.csv')
  await writeTimings(records, path, { replace: true, signal: never })
  return (await readFile(path, 'utf8')).trimEnd().split('\n')
}

describe('timings.csv', () => {
  it('has the columns of the specification and one repeat a run', async () => {
    const [header, row] = await lines(record)
    expect(header).toBe(
      'dataset,n,d,k,engine,device,variant,regime,iterations,repeats,mean_ms,median_ms,sd_ms,min_ms,max_ms,' +
        'per_iteration_ms,load_ms,upload_ms,init_ms,assign_ms,update_ms,converge_ms,iterate_ms,download_ms,' +
        'other_ms,host_device_bytes_per_iteration,result_sha256,precision,grade',
    )
    const perIteration = (2 + 1 + 0.125) / 3
    expect(row).toBe(
      '"my, points.csv",4,2,2,cpu,cpu,sequential,as-studied,3,1,4.25,4.25,,4.25,4.25,' +
        `${perIteration},1.5,0.25,0.5,2,1,0.125,,0.25,0.125,24,,float32,bounded`,
    )
  })

  it('names the regime, and leaves it empty where the engine told none', async () => {
    const [, named, unmeasured] = await lines(
      { ...record, variant: 'fused', regime: 'tiled' },
      { ...record, variant: 'fused', regime: null },
    )
    expect(named).toContain(',fused,tiled,3,1,')
    expect(unmeasured).toContain(',fused,,3,1,')
  })

  it('keeps the order of the runs and leaves empty what was not timed', async () => {
    const untimed = { ...record.timings, assignMs: null, updateMs: null, convergeMs: null }
    const whole: RunRecord = { ...record, variant: 'openmp', timings: untimed }
    const [, first, second] = await lines(whole, record)
    expect(first).toContain(',openmp,as-studied,3,1,4.25,4.25,,4.25,4.25,,1.5,0.25,0.5,,,,,0.25,0.125,')
    expect(second).toContain(',sequential,')
  })

  it('counts the iterations of all restarts, as the phases do', async () => {
    const [restart] = record.restarts
    const [, row] = await lines({ ...record, restarts: [restart, { ...restart, run: 1, iterations: 7 }] })
    expect(row.split(',').slice(9, 11)).toEqual(['10', '1'])
    expect(row).toContain(`,${3.125 / 10},`)
  })

  it('never takes the place of the data', async () => {
    const work = writeTimings([record], record.file.path, { replace: true, signal: never })
    await expect(work).rejects.toMatchObject({ code: 'export.is-source' })
  })
})
