import { copyFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostHandlers } from '@engine/host/handlers'
import type { HostChannel } from '@engine/host/protocol'
import { checked, hostSchemas } from '@engine/host/schemas'
import { Spool } from '@engine/host/spool'
import { HostStore } from '@engine/host/store'
import type { RunEvent, WindowRequests } from '@shared/ipc'
import { ChosenFiles } from '../../src/main/files'
import { windowHandlers, type HandlerContext } from '../../src/main/handlers'
import { KeptSessions } from '../../src/main/kept-sessions'
import { windowSchemas } from '../../src/main/schemas'
import { SettingsStore } from '../../src/main/settings'
import { StateFiles } from '../../src/main/state-files'
import { chanceOf } from './chance'
import { appMessages, hostMessages, type Names } from './messages'
import { spoiled } from './spoil'
import { codeOf, requireCleanPrototypes, type Target } from './target'

type Handle = (params: unknown) => Promise<unknown> | unknown
type Requests = (channel: string, params: unknown) => Promise<unknown>

/** Good, but work of minutes or gigabytes: what matters is that it was let through on purpose. */
const tooMuch = new Set<string>(['bench.plan', 'bench.start', 'bench.outside', 'engines.list'])
const most: Readonly<Record<string, number>> = { n: 500, d: 20, k: 5, maxIterations: 5, nInit: 2, steps: 3 }

/**
 * Spoiled messages for every handler of main and, behind it, of the engine host. Each is answered, if not granted, by an
 * error that a person may see; no path reaches the host but chosen ones; no file appears outside the scratch folder.
 */
export async function ipcTarget(examples: string): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'centroid-lab-fuzz-'))
  process.env['CENTROID_LAB_FUZZ_FOLDER'] = folder
  // Electron's, which is not here.
  Object.assign(process, { resourcesPath: folder })
  const path = join(folder, 'chosen.csv')
  copyFileSync(join(examples, 'iris.csv'), join(folder, 'table.csv'))
  copyFileSync(join(examples, 'iris.csv'), path)
  const failures: string[] = []
  const spool = new Spool(join(folder, 'spool'))
  const store = new HostStore(spool)
  const host = hostHandlers(store, (channel, payload) => {
    if (channel !== 'run.event') return
    const event = payload as RunEvent
    if (event.kind !== 'failed' || event.error.kind !== 'internal') return
    failures.push(event.error.details ?? event.error.message)
  })
  const { id: datasetId } = await host['dataset.open']({ path: join(folder, 'table.csv'), overrides: {} })
  const state = new StateFiles(folder)
  const files = new ChosenFiles(state, () => undefined)
  const { token } = files.register(path)
  const names: Names = { datasetId, runId: 'unknown', path, token }
  const askHost: Requests = async (channel, params) => {
    const good: unknown = checked<unknown>(hostSchemas[channel as HostChannel], channel, params)
    return tooMuch.has(channel) ? null : (host[channel as HostChannel] as Handle)(tamed(good))
  }
  const askMain = mainRequests({ files, state, spool }, path, askHost)
  const ways = [
    ...waysOf(hostMessages(names), (channel, params) => askHost(channel, atPath(params, path))),
    ...waysOf(appMessages(names), askMain),
    ...waysOf(forwarded(names), askMain),
  ]
  return {
    async tryCase(seed) {
      const chance = chanceOf(seed)
      const { channel, good, ask } = chance.of(ways)
      const message = chance.yes(0.05) ? good : spoiled(good, chance)
      const outcome = await ask(channel, message).then(() => 'granted', codeOf)
      requireCleanPrototypes()
      if (failures.length > 0) throw new Error(`a run failed inside: ${failures.splice(0).join('\n')}`)
      return outcome
    },
    async close() {
      store.closeDataset(datasetId)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function waysOf(messages: object, ask: Requests) {
  return Object.entries(messages).map(([channel, good]: [string, unknown]) => ({ channel, good, ask }))
}

/** Channels of the host that the page may use through main. */
function forwarded(names: Names): object {
  const open = Object.entries(hostMessages(names)).filter(([channel]) =>
    Object.hasOwn(windowSchemas, channel),
  )
  return Object.fromEntries(open)
}

/** What main remembers. */
interface Kept {
  readonly files: ChosenFiles
  readonly state: StateFiles
  readonly spool: Spool
}

/** Main as the page sees it, with a host behind it that knows which paths were chosen. */
function mainRequests({ files, state, spool }: Kept, chosen: string, askHost: Requests): Requests {
  const engine = {
    state: { state: 'ready', pid: 1 },
    request: (channel: string, params: unknown) => {
      requireChosen(params, chosen)
      return askHost(channel, params)
    },
    open: (path: string, overrides: unknown) => engine.request('dataset.open', { path, overrides }),
    close: (datasetId: string) => engine.request('dataset.close', { datasetId }),
    startAgain: () => undefined,
  }
  const nothing = () => undefined
  const proposedName = (name: string) => name
  const window = {
    ...{ browser: {}, opened: nothing, closed: nothing, pageIsReady: nothing, send: nothing },
    session: nothing,
    proposedName,
  }
  const parts = {
    engine,
    files,
    window,
    settings: new SettingsStore(state),
    menu: { enable: nothing },
    progress: { expect: nothing },
    sessions: new KeptSessions(state, spool),
  }
  const handlers = windowHandlers(parts as unknown as HandlerContext)
  return async (channel, params) => {
    const name = channel as keyof WindowRequests
    // A dropped path is the preload's word: it counts as chosen, and is not followed here. Licences lie beside the built program.
    const good: unknown = checked<unknown>(windowSchemas[name], channel, params)
    if (name === 'app.register-drop' || name === 'app.about') return null
    return (handlers[name] as Handle)(good)
  }
}

/** @throws Error where a path is on its way to the host that nobody chose */
function requireChosen(params: unknown, chosen: string): void {
  for (const [name, value] of fields(params)) {
    if (!['path', 'folder', 'centroidsFile'].includes(name) || value === null) continue
    const isFine = typeof value === 'string' && (value.startsWith(chosen) || value.includes('/examples/'))
    if (!isFine) throw new Error(`${name} ${JSON.stringify(value)} was never chosen`)
  }
}

/** Every property of a message, at any depth. */
function fields(value: unknown): [string, unknown][] {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [name, inner] as [string, unknown],
    ...fields(inner),
  ])
}

/** What reaches the host directly comes from main, whose paths were chosen: a good path is the one that was. */
function atPath(params: unknown, path: string): unknown {
  if (params === null || typeof params !== 'object') return params
  const named = (['path', 'folder'] as const).filter((name) => name in params)
  const changes = named.map((name) => [name, good((params as Record<string, unknown>)[name], path)])
  const file = 'config' in params ? { config: withoutFile(params.config) } : {}
  return { ...params, ...Object.fromEntries(changes), ...file }
}

function good(value: unknown, path: string): unknown {
  return typeof value === 'string' && value !== '' && value.length < 32_768 ? path : value
}

function withoutFile(config: unknown): unknown {
  if (config === null || typeof config !== 'object' || !('centroidsFile' in config)) return config
  return { ...config, centroidsFile: typeof config.centroidsFile === 'string' ? null : config.centroidsFile }
}

/** The same message, but little work. */
function tamed(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || Array.isArray(value))
    return value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name in most && typeof inner === 'number' ? Math.min(inner, most[name]) : tamed(inner),
  ])
  return Object.fromEntries(entries) as unknown
}
