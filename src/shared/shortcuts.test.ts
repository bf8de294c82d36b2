import { describe, expect, it } from 'vitest'
import { menuCommands } from './ipc'
import { commandOf, keyWords, menuWords, shortcutGroups, type KeyPress } from './shortcuts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held },
})

describe('a shortcut', () => {
  it('is told by its key and every modifier that is held', () => {
    expect(commandOf(press('o', { ctrlKey: true }), false)).toBe('open')
    expect(commandOf(press('O', { metaKey: true, shiftKey: true }), false)).toBe('open-steps')
    expect(commandOf(press('b', { ctrlKey: true, altKey: true }), false)).toBe('toggle-result-panel')
    expect(commandOf(press('o'), false)).toBeNull()
    expect(commandOf(press('Escape'), false)).toBe('cancel')
  })

  it('that a text field needs is left to it', () => {
    const question = press('?', { shiftKey: true })
    expect([commandOf(question, false), commandOf(question, true)]).toEqual(['shortcuts', null])
    const undo = press('z', { ctrlKey: true })
    expect([commandOf(undo, false), commandOf(undo, true)]).toEqual(['undo', null])
    expect(commandOf(press('s', { ctrlKey: true }), true)).toBe('save-session')
  })

  it('is the only one with its keys, and is shown as the keyboard has it', () => {
    const keys = shortcutGroups.flatMap(({ shortcuts }) => shortcuts.flatMap((each) => each.keys))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keyWords('CommandOrControl+Shift+O', false)).toBe('Ctrl+Shift+O')
    expect(keyWords('CommandOrControl+Shift+O', true)).toBe('⌘⇧O')
  })

  it('has the words of its menu item', () => {
    expect(Object.keys(menuWords).sort()).toEqual([...menuCommands].sort())
  })
})
