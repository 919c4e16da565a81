/** Options of {@link until}. */
export interface UntilOptions {
  /** How long it may take, in milliseconds (default 15,000). */
  withinMs?: number
  /** How long to wait between two looks, in milliseconds (default 25). */
  everyMs?: number
}

/**
 * Looks again and again until `look` answers something, and answers that. What `look` throws counts as
 * nothing yet, and is the cause of the error once the time is up.
 *
 * @throws {Error} naming `what` when the time is up.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  options: UntilOptions = {},
): Promise<T> {
  const { withinMs = 15_000, everyMs = 25 } = options
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
