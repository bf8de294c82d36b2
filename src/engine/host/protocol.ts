import type { Duplex } from 'node:stream'
import type { Answer, HostEvents, HostRequests } from '@shared/ipc'
import { encodeFrame, FrameReader } from './framing'

export type HostChannel = keyof HostRequests
export type HostParams<K extends HostChannel> = HostRequests[K]['params']
export type HostResult<K extends HostChannel> = HostRequests[K]['result']

/** The file descriptor the host finds its end of the pipe on. Standard output stays free for addons that print. */
export const channelDescriptor = 3

/** What main sends. Parameters are not trusted: the host checks them against its schemas. */
export interface RequestMessage {
  readonly kind: 'request'
  readonly id: number
  readonly channel: string
  readonly params: unknown
}

/** What the host sends. */
export type HostMessage =
  | { readonly kind: 'ready'; readonly pid: number; readonly node: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer<unknown> }
  | EventMessage

export type EventMessage = {
  [K in keyof HostEvents]: { readonly kind: 'event'; readonly channel: K; readonly payload: HostEvents[K] }
}[keyof HostEvents]

/** One handler for each request: the host's whole surface. */
export type HostHandlers = {
  readonly [K in HostChannel]: (params: HostParams<K>) => Promise<HostResult<K>> | HostResult<K>
}

/** Sends an event to main. */
export type SendEvent = <K extends keyof HostEvents>(channel: K, payload: HostEvents[K]) => void

export interface Link {
  send(message: RequestMessage | HostMessage): void
}

/**
 * Messages over a stream. A damaged frame destroys the stream: nothing after it could be trusted.
 * Small pieces are joined, so that a message is one write.
 */
export function link(stream: Duplex, receive: (message: unknown) => void): Link {
  const reader = new FrameReader()
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) receive(message)
    } catch (error) {
      stream.destroy(error as Error)
    }
  })
  return {
    send(message) {
      if (stream.writable) stream.write(Buffer.concat(encodeFrame(message)))
    },
  }
}
