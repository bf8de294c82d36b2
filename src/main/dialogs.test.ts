import type { BrowserWindow, MessageBoxOptions } from 'electron'
import { expect, it, vi } from 'vitest'
import { confirmReplace } from './dialogs'

const electron = vi.hoisted(() => ({ showMessageBox: vi.fn() }))
vi.mock('electron', () => ({ dialog: electron }))

it('shows controls in names of files instead of carrying them out', async () => {
  electron.showMessageBox.mockResolvedValue({ response: 1 })
  const names = ['a\u202egpj.csv', 'line\nbreak.csv']
  expect(await confirmReplace({} as BrowserWindow, '/data/\u001b[31m', names)).toBe(false)
  const [, { detail }] = electron.showMessageBox.mock.calls[0] as [unknown, MessageBoxOptions]
  expect(detail).toBe('In /data/\\x1b[31m:\na\\u{202e}gpj.csv, line\\x0abreak.csv')
})
