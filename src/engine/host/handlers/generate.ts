import { LabError } from '@shared/errors'
import type { HostHandlers, SendEvent } from '../protocol'

type GenerateHandlers = Pick<HostHandlers, 'generate.preview' | 'generate.write' | 'generate.cancel'>

/** Data that is made rather than measured. */
export function generateHandlers(_sendEvent: SendEvent): GenerateHandlers {
  const refuse = () => {
    throw new LabError('internal', 'generate.missing', 'Data cannot be generated yet: open a file instead.')
  }
  return { 'generate.preview': refuse, 'generate.write': refuse, 'generate.cancel': () => null }
}
