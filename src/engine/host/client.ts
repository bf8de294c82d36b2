import type { Duplex } from 'node:stream'
import { LabError } from '@shared/errors'
import type { Answer } from '@shared/ipc'
import {
  link,
  type EventMessage,
  type HostChannel,
  type HostMessage,
  type HostParams,
  type HostResult,
} from './protocol'

export interface HostClient {
  /** Settles with the answer; rejects with the host's LabError, or `engine-lost` when the host goes away. */
  request<K extends HostChannel>(channel: K, params: HostParams<K>): Promise<HostResult<K>>
  /** Fails whatever still waits. Called once the host is gone. */
  fail(error: LabError): void
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: LabError): void
}

/** Main's end of the pipe. The host is ours and its answers have the contract's types. */
export function connectHost(
  stream: Duplex,
  onReady: (facts: { pid: number; node: string }) => void,
  onEvent: (event: EventMessage) => void,
): HostClient {
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let gone: LabError | null = null

  const resolveRequest = (id: number, answer: Answer<unknown>): void => {
    const entry = waiting.get(id)
    waiting.delete(id)
    if (answer.ok) entry?.resolve(answer.value)
    else entry?.reject(LabError.from(answer.error))
  }
  const receive = (message: HostMessage): void => {
    if (message.kind === 'ready') onReady(message)
    else if (message.kind === 'event') onEvent(message)
    else resolveRequest(message.id, message.answer)
  }
  const { send } = link(stream, (message) => receive(message as HostMessage))

  return {
    request: (channel, params) =>
      new Promise((resolve, reject) => {
        if (gone !== null) return reject(gone)
        const id = nextId++
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        send({ kind: 'request', id, channel, params })
      }),
    fail(error) {
      gone = error
      for (const entry of waiting.values()) entry.reject(error)
      waiting.clear()
    },
  }
}
