/** Options of {@link until}. */
export interface UntilOptions {
  /** The timeout in milliseconds (default 100,000). */
  withinMs?: number
  /** The interval between two attempts in milliseconds (default 25). */
  everyMs?: number
}

/**
 * Calls `look` until it returns a value, and returns that. An exception counts as no value yet, and is the cause of the error at
 * the timeout.
 *
 * @throws {Error} naming `what` at the timeout.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  options: UntilOptions = {},
): Promise<T> {
  const { withinMs = 100_000, everyMs = 25 } = options
  const deadline = performance.now() + withinMs
  let cause: unknown
  for (;;) {
    try {
      const found = await look()
      if (found !== undefined) return found
    } catch (error) {
      cause = error
    }
    if (performance.now() > deadline) {
      throw new Error(`not within ${withinMs} ms: ${what}`, { cause })
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
