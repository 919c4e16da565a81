import type { Json, Write } from '../storage.ts'
import { outboxCollection } from './collections.ts'
import type { AuthContext } from './context.ts'
import type { FlowRun } from './flow-run.ts'
import type { AuthEvent } from './ports.ts'

/** An event of a request to a flow. */
export function flowEvent(
  { auth, request, session, now }: FlowRun,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  userId: string | null,
): AuthEvent {
  return {
    id: auth.ids.ordered(),
    type,
    payload,
    context: {
      timestamp: now,
      user_id: userId,
      triggered_by: 'user',
      client_id: session.client_id,
      ip_address: request.ip,
      user_agent: request.user_agent,
      authentication_flow: session.root,
    },
  }
}

/** An event that the host itself has brought about. */
export function hostEvent(
  auth: AuthContext,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  userId: string | null,
): AuthEvent {
  return {
    id: auth.ids.ordered(),
    type,
    payload,
    context: {
      timestamp: auth.clock.now(),
      user_id: userId,
      triggered_by: 'admin_api',
      client_id: null,
      ip_address: null,
      user_agent: null,
      authentication_flow: null,
    },
  }
}

/** What puts events where they wait to be told; nothing where nobody listens. */
export function outboxWrites(auth: AuthContext, events: readonly AuthEvent[]): readonly Write[] {
  if (auth.onEvent === undefined) return []
  return events.map((event) => {
    const value = { event: event as unknown as Json, attempts: 0, claimed_until: null }
    return outboxCollection.write(event.id, value, { if: 'absent' })
  })
}

/** Tells of something that happened on the way, whatever becomes of the request. */
export async function emitEvent(
  run: FlowRun,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { user_id: userId } = payload
  const event = flowEvent(run, type, payload, typeof userId === 'string' ? userId : null)
  const writes = outboxWrites(run.auth, [event])
  if (writes.length > 0) await run.auth.storage.commit(writes)
}
