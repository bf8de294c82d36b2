import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import type { KeptRunFacts } from '@shared/reuse-requests'
import { afterEach, describe, expect, it } from 'vitest'
import { freshWindow } from '../../test/mount'
import VerifyDialog from './reuse/VerifyDialog.vue'
import ShortcutsDialog from './ShortcutsDialog.vue'

let dialog: VueWrapper
const at = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)
afterEach(() => dialog.unmount())
const mounted = () => ({ global: { plugins: [freshWindow({}).pinia] }, attachTo: document.body })

describe('the list of shortcuts', () => {
  it('has every key of the menus under the words that they have there, and those of plots and tables', async () => {
    dialog = mount(ShortcutsDialog, { props: { open: true }, ...mounted() })
    await flushPromises()
    const terms = [...document.querySelectorAll('.shortcut-list dt')]
    const keysOf = (what: string) =>
      terms.find(({ textContent }) => textContent === what)?.nextElementSibling?.textContent?.trim()
    expect(keysOf('Run')).toBe('Ctrl+R')
    expect(keysOf('Redo setting')).toBe('Ctrl+Shift+Z Ctrl+Y')
    expect(keysOf('Keyboard shortcuts')).toBe('F1 ?')
    expect(keysOf('Name a cluster')).toBe('F2')
  })
})

describe('a dialog', () => {
  it('begins on what it is for, and not on the way out', async () => {
    const facts: KeptRunFacts = {
      name: 'run.json',
      startedAt: '2026-01-01T00:00:00.000Z',
      dataName: 'iris.csv',
      n: 150,
      d: 4,
      k: 3,
      engine: 'cpu',
      variant: 'fused',
      deviceName: 'CPU',
      resultSha256: 'a'.repeat(64),
    }
    const nothing = { found: null, dataName: '', progress: null, busy: false, cancelling: false }
    const props = { title: 'Verify', facts, ...nothing, error: null, needsData: false }
    dialog = mount(VerifyDialog, { props, ...mounted() })
    await flushPromises()
    expect(document.activeElement).toBe(at('verify-begin'))
    dialog.unmount()
    dialog = mount(VerifyDialog, { props: { ...props, busy: true }, ...mounted() })
    await flushPromises()
    expect(document.activeElement?.closest('[data-testid=verify-close]')).toBeNull()
  })
})
