/**
 * How work failed that may fail without costing what was done before it, null where it did not.
 * @throws what it throws once the signal has aborted: who cancels wants nothing more
 */
export async function failureOf(
  work: Promise<unknown> | null,
  signal: AbortSignal,
): Promise<{ readonly thrown: unknown } | null> {
  try {
    await work
    return null
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return { thrown }
  }
}
