import { sessionAppChannels } from './session-requests'
import { forwardedRequests, type AppEvents, type AppRequests, type WindowRequests } from './ipc'

/** `app.register-drop` is not here: only the preload may name a path. */
const appChannels = [
  'app.choose-file',
  'app.choose-centroids',
  'app.open',
  'app.preview',
  'app.cancel-open',
  'app.recent',
  'app.forget-recent',
  'app.choose-steps',
  'app.open-steps',
  'app.samples',
  'app.export',
  'app.export-steps',
  'app.export-timings',
  'app.export-all',
  'app.save-plot',
  'app.copy-image',
  'app.memory',
  'app.set-memory',
  'app.choose-scratch',
  'app.settings',
  'app.save-settings',
  'app.host-state',
  'app.start-engine',
  'app.copy',
  'app.menu-state',
  'app.ready',
  'app.about',
  'app.kept-sessions',
  'app.continue-session',
  'app.discard-session',
  ...sessionAppChannels,
  'app.bench-plan',
  'app.bench-start',
  'app.bench-choose-folder',
  'app.bench-open-suite',
  'app.bench-document',
  'app.bench-document-part',
  'app.bench-export',
  'app.generate',
  'app.export-scan',
] as const satisfies readonly (keyof AppRequests)[]

/** Requests the page may send. */
export const windowChannels: readonly (keyof WindowRequests)[] = [...appChannels, ...forwardedRequests]

/** Events the page may listen to. */
export const windowEvents = [
  'dataset.progress',
  'run.event',
  'export.progress',
  'scan.event',
  'run.quality-progress',
  'bench.event',
  'bench.quiet',
  'generate.progress',
  'app.host-state',
  'app.open-file',
  'app.restore',
  'app.notice',
  'app.recent-changed',
  'app.menu',
  'app.language',
] as const satisfies readonly (keyof AppEvents)[]
