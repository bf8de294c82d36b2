/** The window with no program behind it, for looking at its states in a browser; never shipped. */
import { fakeLab } from './fake-lab'

const query = new URLSearchParams(location.search)
Object.defineProperty(window, 'lab', { value: fakeLab({ rows: Number(query.get('rows') ?? 150) }) })
await import('../src/main')
