import { forwardedRequests, type ForwardedRequest, type HostRequests } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { ChosenFiles } from '../files'
import type { HandlersOf, HandlerContext } from './context'

/** Requests that pass unchanged, but for the few where main has a part of its own. */
export function forwardedHandlers(parts: HandlerContext): HandlersOf<ForwardedRequest> {
  const { engine, files, progress, window } = parts
  return {
    ...unchanged(parts),
    'dataset.close': async ({ datasetId }) => {
      window.closed(datasetId)
      await engine.close(datasetId)
      return null
    },
    'run.start': async ({ datasetId, config, live, after }) => {
      const started = await engine.request('run.start', {
        datasetId,
        config: withCentroidPath(config, files),
        ...(live !== undefined && { live }),
        ...(after !== undefined && { after }),
      })
      progress.expect(started.runId, config)
      return started
    },
  }
}

function unchanged({ engine }: HandlerContext): HandlersOf<ForwardedRequest> {
  const pass = (channel: ForwardedRequest) => (params: HostRequests[ForwardedRequest]['params']) =>
    engine.request(channel, params)
  const handlers = forwardedRequests.map((channel) => [channel, pass(channel)])
  return Object.fromEntries(handlers) as HandlersOf<ForwardedRequest>
}

/** The page names the centroid file by its token. */
function withCentroidPath(config: RunConfig, files: ChosenFiles): RunConfig {
  const { centroidsFile } = config
  return centroidsFile === null ? config : { ...config, centroidsFile: files.path(centroidsFile) }
}
