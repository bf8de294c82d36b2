/**
 * The engine host: a plain Node process that owns datasets, engines and addons. Started by Electron main with
 * one end of a pipe as descriptor 3 and two arguments: a folder for results and one for comparisons, both of which outlive the
 * program.
 */
import '@engine/young-objects'
import { Socket } from 'node:net'
import type { Comparisons } from '@engine/benchmark/comparisons'
import { comparisonsIn, hostHandlers } from './handlers'
import { closeInheritedDescriptors } from './inherited-descriptors'
import { channelDescriptor } from './protocol'
import { serve } from './server'
import { Spool } from './spool'
import { HostStore } from './store'

/** Exit status of a process that lost a device for good: main starts another. */
const deviceGone = 70

// Before anything else is opened here.
closeInheritedDescriptors(channelDescriptor)

const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true })
// The window went away, however it went: nobody could use what is computed from here on.
stream.on('close', () => process.exit(0))
stream.on('end', () => process.exit(0))
stream.on('error', () => process.exit(1))
// Ctrl+C in a terminal reaches the whole group; main decides when the host ends.
process.on('SIGINT', () => {})

let notice = (sentence: string): unknown => console.warn(sentence)
const spool = new Spool(process.argv[2] ?? null, undefined, (sentence) => notice(sentence))
void spool.removeUnfinished()
const store = new HostStore(spool)
let comparisons: Comparisons | null = null
serve(stream, (sendEvent) => {
  notice = (sentence) => sendEvent('host.notice', { sentence })
  comparisons = comparisonsIn(process.argv[3] ?? null, store, sendEvent)
  // What was just sent goes out first.
  const startAgain = () => setTimeout(() => process.exit(deviceGone), 200)
  return hostHandlers(store, sendEvent, comparisons, startAgain)
})
// Ended on purpose: what was being measured is not to blame.
process.on('SIGTERM', () => process.exit(0))
process.on('exit', (code) => {
  if (code === 0) comparisons?.leave()
})
