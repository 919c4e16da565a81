import type { FlowType } from './config/flow-definition.ts'
import type { RequestContext } from './flows/flow-result.ts'
import { createUser } from './people/create-user.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from './service.fixture.ts'

export const email = 'maya@harborlight.example'
export const phone = '+46701234567'
const password = 'tidal-lantern-42'

/** A service in which Maya has an account. */
export interface MayasHouse extends TestAuth {
  readonly id: string
}

/** A service in which Maya has an account with an address, a password and the given attributes. */
export async function mayasHouse(
  delta: ConfigDelta = {},
  more: Partial<Parameters<typeof createUser>[1]> = {},
): Promise<MayasHouse> {
  const world = testAuth(delta)
  return { ...world, id: await createUser(world.auth, { email, password, ...more }) }
}

/** First factors are codes by mail and phone. */
export const byCode: ConfigDelta = {
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
  authentication: {
    primary_authenticators: ['oob_otp_email', 'oob_otp_sms'],
    secondary_authentication_mode: 'disabled',
  },
  ui: {
    forgot_password: {
      email: [{ channel: 'email', otp_form: 'code' }],
      phone: [{ channel: 'sms', otp_form: 'code' }],
    },
  },
}

/** A flow of Maya, or of a stranger who knows her address, that asks for a code; no matter whether one is sent. */
export async function askForCode(
  world: TestAuth,
  type: Extract<FlowType, 'login' | 'account_recovery'>,
  request: RequestContext = {},
  login_id: string = email,
): Promise<TestFlow> {
  const medium = login_id.startsWith('+') ? 'sms' : 'email'
  const flow = await startFlow(world, type, request)
  const identification = medium === 'sms' ? 'phone' : 'email'
  stateOf(await flow.input({ identification, login_id }))
  const channel = medium === 'sms' ? { channel: medium } : {}
  const ofLogin = { authentication: `primary_oob_otp_${medium}`, ...channel }
  await flow.input(type === 'login' ? { ...ofLogin, index: 0 } : { index: 0 })
  await Promise.all(world.auth.sending)
  return flow
}
