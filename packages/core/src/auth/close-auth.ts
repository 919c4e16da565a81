import type { AuthContext } from './context.ts'
import { inTransaction } from './errors.ts'

/**
 * Closes the WebSocket connections that wait for the approval of a link and refuses new ones, so that a server can shut down.
 * Flows go on.
 */
export function closeAuth({ listeners, transaction }: AuthContext): void {
  if (transaction !== undefined) throw inTransaction('closeAuth()')
  listeners.close()
}
