/**
 * The engine host: a plain Node process that owns datasets, engines and addons. Started by Electron main with
 * one end of a pipe as descriptor 3 and, as its only argument, a folder for results that must outlive a crash.
 */
import { Socket } from 'node:net'
import { hostHandlers } from './handlers'
import { channelDescriptor } from './protocol'
import { serve } from './server'
import { Spool } from './spool'
import { HostStore } from './store'

const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true })
// The window went away, however it went: nobody could use what is computed from here on.
stream.on('close', () => process.exit(0))
stream.on('end', () => process.exit(0))
stream.on('error', () => process.exit(1))
// Ctrl+C in a terminal reaches the whole group; main decides when the host ends.
process.on('SIGINT', () => {})

const store = new HostStore(new Spool(process.argv[2] ?? null))
serve(stream, (sendEvent) => hostHandlers(store, sendEvent))
