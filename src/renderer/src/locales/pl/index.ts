import benchmark from './benchmark'
import generate from './generate'
import imports from './imports'
import plotTable from './plot-table'
import plots from './plots'
import profiles from './profiles'
import results from './results'
import reuse from './reuse'
import rows from './rows'
import scan from './scan'
import session from './session'
import settings from './settings'
import shortcuts from './shortcuts'
import start from './start'
import steps from './steps'
import table from './table'
import window from './window'

export default {
  benchmark,
  generate,
  imports,
  plotTable,
  plots,
  profiles,
  results,
  reuse,
  rows,
  scan,
  session,
  settings,
  shortcuts,
  start,
  steps,
  table,
  window,
}
