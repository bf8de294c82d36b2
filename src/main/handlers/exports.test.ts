import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asOnlyWriter } from '@engine/export/folder-lock'
import type { HandlerContext } from './context'
import { exportHandlers } from './exports'

const dialog = vi.hoisted(() => ({ showOpenDialog: vi.fn() }))
vi.mock('electron', () => ({ dialog }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-steps-'))
  dialog.showOpenDialog.mockResolvedValue({ canceled: false, filePaths: [folder] })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('steps go into a folder that nobody else writes into', async () => {
  const seen: string[][] = []
  const request = vi.fn(async () => {
    seen.push(readdirSync(folder))
    return { files: ['step-1-points.csv', 'step-1-centroids.csv'] }
  })
  const context = {
    engine: { request },
    window: { browser: {}, proposedName: (name: string) => name },
  } as unknown as HandlerContext
  const exportSteps = exportHandlers(context)['app.export-steps']
  await asOnlyWriter(folder, async () => {
    await expect(exportSteps({ runId: 'r', steps: 1 })).rejects.toMatchObject({ code: 'export.folder-busy' })
  })
  expect(await exportSteps({ runId: 'r', steps: 1 })).toEqual({ folder, files: 2 })
  expect(seen).toEqual([[expect.stringMatching(/\.lock$/)]])
  expect(readdirSync(folder)).toEqual([])
})
