import reuse from './reuse'
import session from './session'
import status from './status'

export default { reuse, session, status }
