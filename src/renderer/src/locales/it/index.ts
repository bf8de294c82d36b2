import plotTable from './plot-table'
import reuse from './reuse'
import session from './session'
import status from './status'

export default { plotTable, reuse, session, status }
