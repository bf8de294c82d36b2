/** The parts of Chart.js that the window uses, registered once. */
import {
  Chart,
  Decimation,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js'

Chart.register(LinearScale, LineController, LineElement, PointElement, ScatterController, Tooltip, Decimation)
Chart.defaults.animation = false
Chart.defaults.font.size = 11

export { Chart }
