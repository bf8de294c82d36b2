import menu from './menu'
import sessionDialogs from './sessionDialogs'
import units from './units'

export default { menu, sessionDialogs, units }
