import type { WindowHandlers } from '../ipc'
import { appHandlers } from './app'
import { benchmarkHandlers } from './benchmark'
import { exportHandlers } from './exports'
import { fileHandlers } from './files'
import { forwardedHandlers } from './forwarded'
import { generateHandlers } from './generate'
import type { HandlerContext } from './context'
import { memoryHandlers } from './memory'
import { reuseHandlers } from './reuse'
import { sessionHandlers } from './sessions'

export type { HandlerContext } from './context'

/** What main answers to the window; everything about data goes on to the engine host. */
export function windowHandlers(parts: HandlerContext): WindowHandlers {
  return {
    ...forwardedHandlers(parts),
    ...fileHandlers(parts),
    ...exportHandlers(parts),
    ...appHandlers(parts),
    ...benchmarkHandlers(parts),
    ...generateHandlers(parts),
    ...memoryHandlers(parts),
    ...sessionHandlers(parts),
    ...reuseHandlers(parts),
  }
}
