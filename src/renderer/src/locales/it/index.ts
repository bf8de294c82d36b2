import session from './session'
import status from './status'

export default { session, status }
