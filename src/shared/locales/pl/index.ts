import menu from './menu'
import units from './units'

export default { menu, units }
