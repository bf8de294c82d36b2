import benchmarkTables from './benchmark-tables'
import common from './common'
import desktop from './desktop'
import menu from './menu'
import report from './report'
import sentences from './sentences'
import sessionDialogs from './sessionDialogs'
import units from './units'

export default {
  'benchmark-tables': benchmarkTables,
  common,
  desktop,
  menu,
  report,
  sentences,
  sessionDialogs,
  units,
}
