import type { AuthContext } from './context.ts'

/**
 * Ends the connections of those who wait for the approval of a link, and takes no further ones: so that a server can end, which
 * waits for all of its connections. Flows go on.
 */
export function closeAuth({ listeners }: AuthContext): void {
  listeners.close()
}
