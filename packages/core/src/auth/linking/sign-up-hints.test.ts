import { expect, it } from 'vitest'
import type { FlowType } from '../config/flow-definition.ts'
import type { AuthorizationSession } from '../flow/state.ts'
import { createFlow } from '../flows/create-flow.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import { errorOf, stateOf, testAuth } from '../service.fixture.ts'

const redirect_uri = 'https://app.example.com/done'

/** A user without an account begins a flow for an authorization request and identifies. */
function beginAs(
  login_id: string,
  type: FlowType & ('signup' | 'signup_login'),
  asked: Partial<AuthorizationSession>,
): Promise<FlowResult> {
  const { auth } = testAuth(
    {},
    {
      authorizationBridge: {
        resolve: async (id) => ({ id, redirect_uri, ...asked }),
        finish: async () => redirect_uri,
      },
    },
  )
  const input = { identification: 'email', login_id }
  return createFlow(auth, { type, name: 'default', url_query: 'x_ref=r1', input })
}

const hint = 'https://authgear.com/login_hint?type=login_id&email=maya%40x.example&enforce=true'

it.each(['signup', 'signup_login'] as const)(
  'a %s creates no user other than the one the authorization request names',
  async (type) => {
    expect(errorOf(await beginAs('lena@x.example', type, { login_hint: hint }))).toMatchObject({
      reason: 'AuthenticationFlowDifferentUserID',
    })
    expect(errorOf(await beginAs('lena@x.example', type, { user_id_hint: 'u1' }))).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'MismatchedUser' } },
    })
    const asked = stateOf(await beginAs('maya@x.example', type, { login_hint: hint }))
    expect(asked.action.type).toBe('verify')
  },
)
