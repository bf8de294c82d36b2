import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import type { Answer, AppEvents, WindowRequests } from '@shared/ipc'
import { ofThisFile, type Lab } from './harness'

/** What the page has, seen from out here: types are kept by `ask` and `heard`. */
interface PageWithBridge {
  readonly lab: {
    invoke(channel: string, params: unknown): Promise<unknown>
    on(channel: string, listener: (payload: unknown) => void): () => void
  }
  heard?: Record<string, unknown[]>
}

/** Sends a request as the page does. */
export async function ask<K extends keyof WindowRequests>(
  lab: Lab,
  channel: K,
  params: WindowRequests[K]['params'],
): Promise<Answer<WindowRequests[K]['result']>> {
  const message: { readonly channel: string; readonly params: unknown } = { channel, params }
  const answer = await lab.page.evaluate(
    (sent) => (window as unknown as PageWithBridge).lab.invoke(sent.channel, sent.params),
    message,
  )
  return answer as Answer<WindowRequests[K]['result']>
}

/** The value of an answer. @throws Error with the sentence of a refusal. */
export async function granted<K extends keyof WindowRequests>(
  lab: Lab,
  channel: K,
  params: WindowRequests[K]['params'],
): Promise<WindowRequests[K]['result']> {
  const answer = await ask(lab, channel, params)
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

/** From now on the page notes the events of a channel. */
export async function listen(lab: Lab, channel: keyof AppEvents): Promise<void> {
  await lab.page.evaluate((name) => {
    const page = window as unknown as PageWithBridge
    const heard = (page.heard ??= {})
    const events: unknown[] = (heard[name] = [])
    page.lab.on(name, (payload) => events.push(payload))
  }, channel)
}

/** What was heard since `listen`. */
export function heard<K extends keyof AppEvents>(lab: Lab, channel: K): Promise<readonly AppEvents[K][]> {
  return lab.page.evaluate(
    (name) => (window as unknown as PageWithBridge).heard?.[name] ?? [],
    channel,
  ) as Promise<readonly AppEvents[K][]>
}

/** Chooses an item of the native menu by its id. */
export async function chooseMenu(lab: Lab, id: string): Promise<void> {
  await lab.app.evaluate(({ Menu }, name) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(name)
    if (!item) throw new Error(`the menu has no ${name}`)
    item.click()
  }, id)
}

/** Starts the program once more, as a double click on a file does; resolves when that start has ended. */
export async function startAgain(lab: Lab, ...files: readonly string[]): Promise<void> {
  const program = process.env['CENTROID_LAB_E2E_PROGRAM'] ?? (await lab.app.evaluate(() => process.execPath))
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const home = `--user-data-dir=${join(lab.folder, 'user')}`
  const root = resolve(import.meta.dirname, '../..')
  const again = spawn(program, [...asRoot, home, root, ...files], {
    stdio: 'ignore',
    env: { ...process.env, ...ofThisFile() },
  })
  await once(again, 'exit')
}

/** The next open dialogs answer this path, null as if the person closed them. */
export function chooseInDialog(lab: Lab, path: string | null): Promise<void> {
  return lab.app.evaluate(({ dialog }, chosen) => {
    const filePaths = chosen === null ? [] : [chosen]
    dialog.showOpenDialog = () => Promise.resolve({ canceled: chosen === null, filePaths })
  }, path)
}
