import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import { checked } from '@engine/host/schemas'
import { LabError, toErrorReport } from '@shared/errors'
import type { Answer, WindowRequests } from '@shared/ipc'
import { isOurPage } from './security'
import { windowSchemas } from './schemas'

type Channel = keyof WindowRequests

/** One handler for each request of the window. */
export type WindowHandlers = {
  readonly [K in Channel]: (
    params: WindowRequests[K]['params'],
  ) => Promise<WindowRequests[K]['result']> | WindowRequests[K]['result']
}

/** Binds the contract to Electron: every request has its sender and its arguments checked. */
export function bindWindow(handlers: WindowHandlers): void {
  for (const channel of Object.keys(windowSchemas) as Channel[]) bind(channel, handlers)
}

function bind<K extends Channel>(channel: K, handlers: WindowHandlers): void {
  ipcMain.handle(channel, async (event, params: unknown): Promise<Answer<WindowRequests[K]['result']>> => {
    try {
      requireOurPage(event)
      return { ok: true, value: await handlers[channel](checked(windowSchemas[channel], channel, params)) }
    } catch (error) {
      return { ok: false, error: toErrorReport(error) }
    }
  })
}

function requireOurPage(event: IpcMainInvokeEvent): void {
  if (isOurPage(event.senderFrame)) return
  throw new LabError('internal', 'ipc.sender', 'A request came from outside the window and was refused.')
}
