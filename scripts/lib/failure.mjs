/** A failure that a person can do something about: one sentence, printed without a stack trace. */
export class SetupFailure extends Error {
  /**
   * @param {string} message one sentence: what, where, what to do
   * @param {string} [details] last lines of the command that failed
   */
  constructor(message, details = '') {
    super(message)
    this.name = 'SetupFailure'
    this.details = details
  }
}

/**
 * Runs a command's main function; a SetupFailure becomes its sentence and exit status 1.
 * @param {() => Promise<number>} main answers the exit status
 */
export async function runProgram(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    if (error.details !== '') console.error(error.details)
    console.error(error.message)
    process.exitCode = 1
  }
}
