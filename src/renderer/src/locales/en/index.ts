import reuse from './reuse'
import status from './status'

export default { reuse, status }
