import { describe, expect, it, vi } from 'vitest'
import { freshWindow } from '../../test/mount'
import { useSelectionStore } from './selection'

describe('selected rows', () => {
  it('are joined in the order of the file, each once', async () => {
    freshWindow()
    const selection = useSelectionStore()
    selection.adopt('data-1')
    await selection.select(Uint32Array.of(2, 5, 9), 'replace')
    await selection.select(Uint32Array.of(1, 5, 12), 'add')
    expect([...(selection.rows ?? [])]).toEqual([1, 2, 5, 9, 12])
    expect(selection.cells?.map(({ fileRow }) => fileRow)).toEqual([3, 4, 7, 11, 14])
  })

  it('come with their text cells once the file was read', async () => {
    freshWindow()
    const selection = useSelectionStore()
    selection.adopt('data-1')
    await selection.select(Uint32Array.of(0), 'replace')
    expect(selection.cells?.[0]?.cells).toContain('species 0')
    expect(selection.loading).toBe(false)
  })

  it('are none where nothing was picked', async () => {
    freshWindow()
    const selection = useSelectionStore()
    selection.adopt('data-1')
    await selection.select(Uint32Array.of(3), 'replace')
    await selection.select(new Uint32Array(), 'replace')
    expect(selection.rows).toBeNull()
  })
})

describe('the row under the pointer', () => {
  it('is reported again after one could not be had', async () => {
    let broken = true
    freshWindow({
      'dataset.rows': ({ rows }: { rows: readonly number[] }) => {
        if (broken) throw new Error('lost')
        return rows.map((row) => ({ row, fileRow: row + 2, cells: [1, 2] }))
      },
    })
    const selection = useSelectionStore()
    selection.adopt('data-1')
    await expect(selection.hover(4)).rejects.toThrow('lost')
    broken = false
    await selection.hover(4)
    expect(selection.hovered?.fileRow).toBe(6)
  })

  it('is told with its texts when the pointer rests', async () => {
    freshWindow({
      'dataset.rows': ({ rows }) => rows.map((row) => ({ row, fileRow: row + 2, cells: [null, 7.5] })),
      'dataset.cells': ({ rows }) =>
        rows.map((row) => ({ row, fileRow: row + 2, cells: ['S-0004', '7,50'] })),
    })
    const selection = useSelectionStore()
    selection.adopt('data-1')
    await selection.hover(4)
    expect(selection.hovered?.cells).toEqual([null, 7.5])
    await vi.waitFor(() => expect(selection.hovered?.cells).toEqual(['S-0004', 7.5]))
  })
})
