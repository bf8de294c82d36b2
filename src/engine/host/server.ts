import type { Duplex } from 'node:stream'
import { invalidArgument, toErrorReport } from '@shared/errors'
import type { Answer } from '@shared/ipc'
import { link, type HostChannel, type HostHandlers, type RequestMessage, type SendEvent } from './protocol'
import { checked, hostSchemas } from './schemas'

function isChannel(channel: string): channel is HostChannel {
  return Object.hasOwn(hostSchemas, channel)
}

async function carryOut<K extends HostChannel>(handlers: HostHandlers, channel: K, params: unknown) {
  return handlers[channel](checked(hostSchemas[channel], channel, params))
}

async function answerTo(handlers: HostHandlers, request: RequestMessage): Promise<Answer<unknown>> {
  try {
    if (!isChannel(request.channel)) throw invalidArgument('a known request', 'channel', request.channel)
    return { ok: true, value: await carryOut(handlers, request.channel, request.params) }
  } catch (error) {
    return { ok: false, error: toErrorReport(error) }
  }
}

/**
 * The host's end of the pipe: checks each request, hands it to its handler and answers.
 * @param makeHandlers receives the function that sends events.
 */
export function serve(stream: Duplex, makeHandlers: (sendEvent: SendEvent) => HostHandlers): void {
  const connection = link(stream, (message) => {
    const request = message as RequestMessage
    void answerTo(handlers, request).then((answer) =>
      connection.send({ kind: 'answer', id: request.id, answer }),
    )
  })
  const handlers = makeHandlers((channel, payload) =>
    connection.send({ kind: 'event', channel, payload } as Parameters<typeof connection.send>[0]),
  )
  connection.send({ kind: 'ready', pid: process.pid, node: process.version })
}
