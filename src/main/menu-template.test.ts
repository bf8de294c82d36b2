import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { languageNames, type Language } from '@shared/locale/languages'
import { speaking } from '@shared/locale/translate'
import { menuCommands, type MenuCommand } from '@shared/ipc'
import { menuTemplate, type MenuActions, type MenuFacts } from './menu-template'

const facts: MenuFacts = {
  recent: [],
  enabled: new Set(menuCommands),
  mac: false,
  language: 'system',
  development: false,
}

function actions(): MenuActions {
  return { send: vi.fn(), openRecent: vi.fn(), forgetRecent: vi.fn(), chooseLanguage: vi.fn() }
}

function itemsOf(changes: Partial<MenuFacts> = {}, done = actions()): MenuItemConstructorOptions[] {
  const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
  return flat(menuTemplate({ ...facts, ...changes }, done))
}

function click(item: MenuItemConstructorOptions | undefined): void {
  ;(item?.click as (() => void) | undefined)?.()
}

describe('the menu', () => {
  it.each(menuCommands)('has a place for %s, once, and sends it', (command) => {
    const done = actions()
    const items = itemsOf({}, done).filter(({ id }) => id === command)
    expect(items).toHaveLength(1)
    click(items[0])
    expect(done.send).toHaveBeenCalledExactlyOnceWith(command)
  })

  it('gives no shortcut twice', () => {
    const keys = itemsOf().flatMap(({ accelerator }) => (accelerator ? [String(accelerator)] : []))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toContain('CommandOrControl+R')
  })

  it('shows the controls in the name of a file instead of carrying them out', () => {
    const recent = [{ token: 'r1', name: 'a\u202egpj&\n.csv', folder: '/data', kind: 'file' as const }]
    expect(itemsOf({ recent }).map(({ label }) => label)).toContain('a\\u{202e}gpj&&\\x0a.csv')
  })

  it('greys what cannot work', () => {
    const possible: readonly MenuCommand[] = ['open', 'about']
    const commands = itemsOf({ enabled: new Set(possible) }).filter(({ id }) =>
      menuCommands.some((command) => command === id),
    )
    expect(commands.filter(({ enabled }) => enabled).map(({ id }) => id)).toEqual(possible)
  })

  it('leaves the keys of undo to text fields, but on a Mac', () => {
    const undo = (mac: boolean) => itemsOf({ mac }).find(({ id }) => id === 'undo')
    expect(undo(false)?.registerAccelerator).toBe(false)
    expect(undo(true)?.registerAccelerator).toBeUndefined()
  })

  it('gives developer tools to developers only', () => {
    const roles = (development: boolean) => itemsOf({ development }).map(({ role }) => role)
    expect(roles(false)).not.toContain('toggleDevTools')
    expect(roles(true)).toContain('toggleDevTools')
  })
})

describe('languages in the menu', () => {
  const chosen = (language: MenuFacts['language'], done = actions()) =>
    itemsOf({ language }, done).filter(({ id }) => id?.startsWith('language-'))

  it('offers the desktop’s and three of its own, each by its own name, and marks the one that was chosen', () => {
    const done = actions()
    const items = chosen('pl', done)
    expect(items.map(({ label }) => label)).toEqual(['As the &system', 'English', 'Italiano', 'Polski'])
    expect(items.filter(({ checked }) => checked).map(({ id }) => id)).toEqual(['language-pl'])
    click(items[1])
    expect(done.chooseLanguage).toHaveBeenCalledExactlyOnceWith('en')
  })

  it('speaks Italian and Polish whole', () => {
    const labels = (language: Language) => speaking(language, () => itemsOf().map(({ label }) => label))
    expect(labels('it')).toContain('&Modifica')
    expect(labels('pl')).toContain('Wytnij')
    const names = Object.values<string>(languageNames)
    const kept = labels('pl').filter((label) => labels('en').includes(label) && !names.includes(label ?? ''))
    expect(kept.filter(Boolean)).toEqual(['&Benchmark'])
  })
})

describe('recent files in the menu', () => {
  const recent = [
    { token: 'a', name: 'one & two.csv', folder: '/data', kind: 'file' },
    { token: 'b', name: 'same.csv', folder: '/x', kind: 'file' },
    { token: 'c', name: 'same.csv', folder: '/y', kind: 'file' },
  ] as const
  const submenu = (items: readonly MenuItemConstructorOptions[]) =>
    items.find(({ id }) => id === 'recent')?.submenu as MenuItemConstructorOptions[]

  it('are listed, told apart, opened and cleared', () => {
    const done = actions()
    const items = submenu(itemsOf({ recent }, done))
    expect(items.slice(0, 3).map(({ label }) => label)).toEqual([
      'one && two.csv',
      'same.csv (/x)',
      'same.csv (/y)',
    ])
    click(items[2])
    expect(done.openRecent).toHaveBeenCalledExactlyOnceWith('c')
    click(items.at(-1))
    expect(done.forgetRecent).toHaveBeenCalledOnce()
  })

  it('say so when there are none', () => {
    expect(submenu(itemsOf())).toEqual([{ label: 'No recent files', enabled: false }])
  })
})
