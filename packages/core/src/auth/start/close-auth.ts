import type { AuthContext } from '../context.ts'
import { inTransaction } from '../errors.ts'

/**
 * Closes the WebSocket connections that wait for the approval of a link and refuses new ones, so that a server can close.
 * Flows go on. The `stop()` of `startAuth()` begins with it; call it yourself only to close a server between both.
 */
export async function closeAuth({ listeners, transaction }: AuthContext): Promise<void> {
  if (transaction !== undefined) throw inTransaction('closeAuth()')
  listeners.close()
}
