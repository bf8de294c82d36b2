/** The thread that resamples times, so that the window does not wait for it. */
import { StatisticsService, type StatisticsRequest } from './statistics'

const service = new StatisticsService()

addEventListener('message', ({ data }: MessageEvent<StatisticsRequest>) => {
  service.take(data, (answer) => postMessage(answer))
})
