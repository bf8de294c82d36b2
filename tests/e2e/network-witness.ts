import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'

/** Somebody on this machine's own network who notices whoever calls. */
export interface Witness {
  readonly port: number
  /** What was noticed: a TCP connection or a UDP packet each. */
  readonly calls: readonly string[]
  close(): void
}

/** Listens on 127.0.0.1, on one port for TCP and UDP. */
export async function listenForCalls(): Promise<Witness> {
  const calls: string[] = []
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => calls.push(`TCP ${bytes.toString('latin1').split('\r\n')[0]}`))
    calls.push('TCP')
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4').on('message', () => calls.push('UDP'))
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    port,
    calls,
    close: () => {
      tcp.close()
      udp.close()
    },
  }
}

/** Notes every UDP socket and multicast group of this machine that comes into being, however short it lives. */
export function watchUdp(): { stop(): readonly string[] } {
  const files = ['udp', 'udp6', 'igmp', 'igmp6'].map((name) => `/proc/net/${name}`)
  const now = () =>
    files.flatMap((file) => {
      const lines = existsSync(file) ? readFileSync(file, 'latin1').split('\n').slice(1) : []
      // Address, remote address and state; queues and timers change by themselves.
      return lines.map((line) => `${file} ${line.trim().split(/\s+/).slice(1, 4).join(' ')}`)
    })
  const before = new Set(now())
  const noticed = new Set<string>()
  const timer = setInterval(() => now().forEach((line) => before.has(line) || noticed.add(line)), 2)
  return {
    stop: () => {
      clearInterval(timer)
      return [...noticed]
    },
  }
}

/** What the page found out: the ways it tried, and those that answered something. */
export interface WaysOut {
  readonly tried: number
  readonly answered: readonly string[]
}

/** Every way out that a page has, tried from inside it. Serialised into the page: uses nothing from here. */
export async function tryEveryWayOut(port: number): Promise<WaysOut> {
  const http = `http://127.0.0.1:${port}`
  const answered: string[] = []
  /** Whether it came to anything only the witness can tell. */
  const onlyWitnessKnows = () => Promise.reject(new Error('only the witness knows'))
  const within = (name: string, attempt: () => Promise<unknown>) =>
    Promise.race([
      Promise.resolve()
        .then(attempt)
        .then(
          () => answered.push(name),
          () => undefined,
        ),
      new Promise((done) => setTimeout(done, 1500)),
    ])
  const opened = (target: EventTarget) =>
    new Promise((resolve, reject) => {
      for (const good of ['open', 'load', 'loadeddata']) target.addEventListener(good, resolve)
      target.addEventListener('error', reject)
    })
  const element = (name: string, attributes: Readonly<Record<string, string>>) => () => {
    const made = document.createElement(name)
    const loaded = opened(made)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    document.body.append(made)
    return loaded.finally(() => made.remove())
  }
  const link = (rel: string, more = {}) => element('link', { rel, href: `${http}/${rel}`, ...more })
  const peer = async () => {
    const udp = { urls: `stun:127.0.0.1:${port}` }
    const tcp = { urls: `turn:127.0.0.1:${port}?transport=tcp`, username: 'a', credential: 'b' }
    const connection = new RTCPeerConnection({ iceServers: [udp, tcp] })
    connection.createDataChannel('out')
    await connection.setLocalDescription(await connection.createOffer())
    await new Promise((done) => setTimeout(done, 1200))
    return onlyWitnessKnows()
  }
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    fetch: () => fetch(`${http}/fetch`, { mode: 'no-cors' }),
    XMLHttpRequest: () => {
      const request = new XMLHttpRequest()
      request.open('GET', `${http}/xhr`)
      request.send()
      return opened(request)
    },
    WebSocket: () => opened(new WebSocket(`ws://127.0.0.1:${port}/socket`)),
    EventSource: () => opened(new EventSource(`${http}/events`)),
    WebTransport: () => new WebTransport(`https://127.0.0.1:${port}/transport`).ready,
    RTCPeerConnection: peer,
    beacon: () => {
      navigator.sendBeacon(`${http}/beacon`)
      return onlyWitnessKnows()
    },
    image: element('img', { src: `${http}/image.png` }),
    script: element('script', { src: `${http}/script.js` }),
    video: element('video', { src: `${http}/video.mp4`, preload: 'auto' }),
    stylesheet: link('stylesheet'),
    prefetch: link('prefetch'),
    preload: link('preload', { as: 'image' }),
    preconnect: link('preconnect'),
    'dns-prefetch': link('dns-prefetch'),
    manifest: link('manifest'),
    worker: () => opened(new Worker(`${http}/worker.js`)),
    font: () => new FontFace('out', `url(${http}/font.woff2)`).load(),
  }
  await Promise.all(Object.entries(ways).map(([name, attempt]) => within(name, attempt)))
  return { tried: Object.keys(ways).length, answered }
}

/**
 * A page that was taken over and wants peer connections: its own, and those of frames it makes as fast as it can. In one
 * go, so that whoever would end it has to be quick. Serialised into the page: uses nothing from here.
 */
export function wantPeerConnections(kind: 'own' | 'iframe' | 'object' | 'embed'): number {
  type Realm = Pick<typeof globalThis, 'RTCPeerConnection'>
  let made = 0
  const connect = (realm: Realm | null) => {
    if (realm === null || !('RTCPeerConnection' in realm)) return
    made++
    const connection = new realm.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:3478' }] })
    connection.createDataChannel('out')
    void connection.setLocalDescription()
  }
  const frames = () => {
    for (let i = 0; i < 50; i++) {
      const frame = document.createElement(kind)
      if (kind === 'iframe' && i % 2 === 1) frame.setAttribute('srcdoc', '<p>')
      if (kind !== 'iframe') frame.setAttribute('type', 'text/html')
      document.body.append(frame)
      connect(window[window.length - 1] as Window & Realm)
    }
    setTimeout(frames, 0)
  }
  if (kind === 'own') connect(window)
  else frames()
  return made
}
