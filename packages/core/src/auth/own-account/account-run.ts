import type { AuthContext, AuthRun } from '../context.ts'
import { beginRun } from '../flow/run.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestFacts } from '../flows/request-facts.ts'
import { createFlowId } from '../secrets/tokens.ts'

/** The run of a request in which a signed-in user changes their account. `name` is the change. */
export function accountRun(
  auth: AuthContext,
  session: Session,
  name: string,
  context: RequestContext,
): AuthRun {
  const now = auth.clock.now()
  return beginRun({
    auth,
    request: requestFacts(auth, context),
    session: {
      flow_id: createFlowId(auth.random),
      root: { type: 'account', name },
      created_at: now,
      client_id: session.client_id,
      ui_locales: new URLSearchParams(context.query).get('ui_locales'),
      state: null,
      x_state: null,
      authorization: null,
    },
    now,
  })
}
