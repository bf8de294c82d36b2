import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { AppEvents, WindowApi } from '@shared/ipc'
import { windowChannels, windowEvents } from '@shared/channels'

/** Only the channels of the contract pass; main checks sender and arguments once more. */
const requests: ReadonlySet<string> = new Set(windowChannels)
const events: ReadonlySet<string> = new Set(windowEvents)

const api: WindowApi = {
  invoke(channel, params) {
    if (!requests.has(channel))
      return Promise.reject(new TypeError(`Expected a known channel but received ${channel}`))
    return ipcRenderer.invoke(channel, params)
  },
  on(channel, listener) {
    if (!events.has(channel)) throw new TypeError(`Expected a known event but received ${channel}`)
    const forward = (_: unknown, payload: AppEvents[typeof channel]) => listener(payload)
    ipcRenderer.on(channel, forward)
    return () => ipcRenderer.removeListener(channel, forward)
  },
  // The path is read here and goes to main; the page sees a token.
  registerDrop: (file) => ipcRenderer.invoke('app.register-drop', { path: webUtils.getPathForFile(file) }),
}

contextBridge.exposeInMainWorld('lab', api)
