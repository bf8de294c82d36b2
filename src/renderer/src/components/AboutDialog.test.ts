import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import { freshWindow } from '../../test/mount'
import AboutDialog from './AboutDialog.vue'

const answer = {
  versions: { 'Centroid Lab': '0.1.0', Electron: '39.1.0' },
  crashReports: { folder: '/home/ada/.config/centroid-lab/Crashpad', count: 2 },
  licences: [
    { name: 'Centroid Lab', version: '0.1.0', licence: 'MIT', text: 'Permission is hereby granted' },
    { name: '@swc/helpers', version: '0.5.0', licence: 'Apache-2.0', text: 'TERMS AND CONDITIONS' },
  ],
}

let dialog: VueWrapper
const at = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)
afterEach(() => dialog.unmount())

async function open(about: () => unknown) {
  const { lab, pinia } = freshWindow({ 'app.about': about })
  dialog = mount(AboutDialog, {
    props: { open: true, 'onUpdate:open': (shown: boolean) => dialog.setProps({ open: shown }) },
    global: { plugins: [pinia] },
    attachTo: document.body,
  })
  await flushPromises()
  return lab
}

describe('about', () => {
  it('says where crash reports lie, and that none is sent', async () => {
    await open(() => answer)
    expect(at('about-crashes')?.textContent?.trim()).toBe(
      '2 reports in /home/ada/.config/centroid-lab/Crashpad; reports stay on this computer.',
    )
  })

  it('lists versions and copies them', async () => {
    const lab = await open(() => answer)
    expect(at('about-versions')?.textContent).toContain('39.1.0')
    at('copy-versions')?.click()
    await flushPromises()
    expect(lab.asked.at(-1)).toEqual({
      channel: 'app.copy',
      params: { text: 'Centroid Lab 0.1.0\nElectron 39.1.0\n' },
    })
  })

  it('finds licences by name or licence, and shows a text only when asked', async () => {
    await open(() => answer)
    const search = at('licence-search') as HTMLInputElement
    search.value = 'apache'
    search.dispatchEvent(new Event('input'))
    await flushPromises()
    const licences = at('licences')
    expect(licences?.querySelectorAll('li')).toHaveLength(1)
    expect(licences?.textContent).not.toContain('TERMS')
    const details = licences?.querySelector('details')
    if (details) details.open = true
    details?.dispatchEvent(new Event('toggle'))
    await flushPromises()
    expect(licences?.textContent).toContain('TERMS AND CONDITIONS')
  })

  it('says in the dialog why nothing is known, and closes by Escape, which reaches nothing else', async () => {
    await open(() => {
      throw new LabError('internal', 'about.licences', 'The licences cannot be read: install it again.')
    })
    expect(at('about-problem')?.textContent).toBe('The licences cannot be read: install it again.')
    let reached = false
    window.addEventListener('keydown', () => (reached = true), { once: true })
    at('about-close')?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
    )
    await flushPromises()
    expect(at('about')).toBeNull()
    expect(reached).toBe(false)
  })
})
