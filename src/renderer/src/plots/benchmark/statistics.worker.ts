/** The thread that resamples times, so that the window does not wait for it. */
import { benchmarkStatistics, type StatisticsAnswer, type StatisticsRequest } from './statistics'

function answerTo({ id, document, baseline }: StatisticsRequest): StatisticsAnswer {
  try {
    return { id, ok: true, statistics: benchmarkStatistics(document, baseline) }
  } catch (thrown) {
    return { id, ok: false, reason: String(thrown) }
  }
}

addEventListener('message', ({ data }: MessageEvent<StatisticsRequest>) => {
  postMessage(answerTo(data))
})
