import type { WindowRequests } from '@shared/ipc'
import type { EngineProcess } from '../engine-process'
import type { ChosenFiles } from '../files'
import type { WindowHandlers } from '../ipc'
import type { KeptSessions } from '../kept-sessions'
import type { AppMenu } from '../menu'
import type { RunProgress } from '../run-progress'
import type { SettingsStore } from '../settings'
import type { MainWindow } from '../window'

/** What the handlers work with. */
export interface HandlerContext {
  readonly engine: EngineProcess
  readonly files: ChosenFiles
  readonly settings: SettingsStore
  readonly window: MainWindow
  readonly menu: AppMenu
  readonly progress: RunProgress
  readonly sessions: KeptSessions
}

/** The handlers of some channels. */
export type HandlersOf<K extends keyof WindowRequests> = Pick<WindowHandlers, K>
