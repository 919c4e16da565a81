import type { Json } from '../../storage/storage.ts'
import type { AuthOptions } from '../auth-options.ts'
import type { FlowType } from '../config/flow-definition.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { outboxCollection } from '../events/outbox.ts'
import type { Session } from '../flow/session/session.ts'
import type { FlowInput } from '../flow/view.ts'
import type { FlowResult, RequestContext } from '../flows/flow-result.ts'
import { getFlowState } from '../flows/get-flow-state.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../service.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { createPasskeys } from './create-passkeys.ts'
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
  type SoftwareAuthenticatorOptions,
  type SoftwareCreation,
} from './software-authenticator.fixture.ts'

const password = 'tidal-lantern-42'

/** Users sign in with a password or a passkey; addresses need no verification. */
export const withPasskeys = {
  authentication: {
    identities: ['login_id', 'passkey'],
    primary_authenticators: ['password', 'passkey'],
  },
  verification: { claims: { email: { required: false } } },
} as const

/** A service with passkeys and further configuration sections. */
export function passkeyAuth(delta: ConfigDelta = {}, options: Partial<AuthOptions> = {}): TestAuth {
  return testAuth({ ...withPasskeys, ...delta }, { passkeys: createPasskeys(), ...options })
}

/** A browser with an authenticator on a page of the service. */
export function newDevice(
  options: Partial<SoftwareAuthenticatorOptions> = {},
): SoftwareAuthenticator {
  const own = { origin: 'https://auth.example.com', rpId: 'auth.example.com' }
  return createSoftwareAuthenticator({ ...own, ...options })
}

/** A member of the data of a state. */
export function dataOf(result: FlowResult, name: string): Json {
  return stateOf(result).action.data[name] ?? null
}

/** The request options in the option of a state. */
export function requestOptionsOf(result: FlowResult): Json {
  const options = dataOf(result, 'options') as readonly FlowInput[]
  const option = options.find(({ request_options: asked }) => asked !== undefined)
  if (option === undefined)
    throw new Error(`no option has request_options: ${JSON.stringify(options)}`)
  return option.request_options ?? null
}

/** Signs up with an address, up to the prompt for a passkey. */
export async function signUpToPrompt(world: TestAuth, email: string): Promise<TestFlow> {
  const flow = await startFlow(world, 'signup')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', new_password: password })
  return flow
}

/** Signs up with an address, a password and a passkey of the device. Returns the user id. */
export async function signUp(
  world: TestAuth,
  email: string,
  device: SoftwareAuthenticator,
): Promise<string> {
  const flow = await signUpToPrompt(world, email)
  const made = device.create(dataOf(flow.last, 'creation_options'))
  stateOf(await flow.input({ creation_response: made }))
  return (await sessionOf(world, flow)).user_id
}

/** The session of a finished flow. @throws {Error} if the flow has not finished. */
export async function sessionOf({ auth }: TestAuth, { last }: TestFlow): Promise<Session> {
  const cookie = last.cookies.find(({ name }) => name === 'session')
  const session = await resolveSessionToken(auth, cookie?.value ?? '')
  if (session === undefined) throw new Error(`no session: ${JSON.stringify(last)}`)
  return session
}

/** The types of the waiting events, each with its user. */
export async function eventsOf({
  storage,
}: TestAuth): Promise<readonly { readonly type: string; readonly user_id: string | null }[]> {
  const records = await outboxCollection.find(storage, { by: 'id', limit: 1_000 })
  const events = records.map(({ value }) => value.event as unknown as AuthEvent)
  return events.map(({ type, context }) => ({ type, user_id: context.user_id }))
}

/** A flow at its identification, and a function that identifies with a passkey. */
export async function startByPasskey(
  world: TestAuth,
  device: SoftwareAuthenticator,
  type: FlowType = 'login',
  request: RequestContext = {},
): Promise<{ readonly flow: TestFlow; readonly input: FlowInput }> {
  const flow = await startFlow(world, type, request)
  const used = device.get(requestOptionsOf(flow.last))
  return { flow, input: { identification: 'passkey', assertion_response: used } }
}

/** Reads the latest state of a flow again. */
export function readAgain({ auth }: TestAuth, { token }: TestFlow): Promise<FlowResult> {
  return getFlowState(auth, { state_token: token })
}

/** The same credential as an answer to other options; a creation has no signature over them. */
export function answering(made: SoftwareCreation, options: Json): FlowInput {
  const asked = JSON.parse(Buffer.from(made.response.clientDataJSON, 'base64url').toString())
  const data = JSON.stringify({ ...asked, challenge: Object(options).challenge })
  const clientDataJSON = Buffer.from(data).toString('base64url')
  return { creation_response: { ...made, response: { ...made.response, clientDataJSON } } }
}
