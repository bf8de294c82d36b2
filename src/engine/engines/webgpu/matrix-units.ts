import { LabError, toErrorReport } from '@shared/errors'
import type { Session } from '../engine'

/**
 * Tries matrix units first. What went wrong with them costs speed and nothing else, and the session says what it was.
 * @param withMatrices answers null where there is nothing to try
 */
export async function preferMatrices(
  withMatrices: () => Promise<Session | null>,
  without: () => Promise<Session>,
): Promise<Session> {
  const { session, failure } = await attempt(withMatrices)
  if (session !== null) return session
  const plain = await without()
  return failure === null ? plain : Object.assign(plain, { warnings: [...(plain.warnings ?? []), failure] })
}

async function attempt(open: () => Promise<Session | null>) {
  try {
    return { session: await open(), failure: null }
  } catch (thrown) {
    const because =
      thrown instanceof LabError ? thrown.message : toErrorReport(thrown).details?.split('\n')[0]
    const sentence = `The matrix units could not be used, so the run took longer than it might have: ${because}`
    return { session: null, failure: sentence }
  }
}
