import {
  type AuthContext,
  advanceFlow,
  createFlow,
  type FlowInput,
  type FlowResult,
  type OutgoingMessage,
} from '@gatehouse/core/auth'
import type { FakeOAuthClient } from '../../packages/core/src/auth/kinds/oauth/oauth.fixture.ts'
import type { Cluster } from '../cluster.ts'

/** The state of a flow, with its prompt as data. */
export interface Shown {
  readonly token: string
  readonly type: string
  readonly data: { readonly [name: string]: unknown }
}

/** A browser at one address. */
export interface Browser {
  readonly ip: string
  /** The status of the last refusal; 0 before one. */
  readonly refusedWith: number
  /** The state that an accepted request leads to; `undefined` if it is refused. */
  begin(type: 'login' | 'signup' | 'account_recovery'): Promise<Shown | undefined>
  send(state: Shown, input: FlowInput): Promise<Shown | undefined>
}

/** What all clients of a run share. */
export interface Clients {
  readonly cluster: Cluster<AuthContext>
  readonly oauth: FakeOAuthClient
  /** The messages to an address, the newest last. */
  readonly mailboxes: Map<string, OutgoingMessage[]>
  /** What a stranger may copy, by person, before the person sends it. */
  readonly seen: Map<number, { assertion?: FlowInput; callback?: FlowInput; forged?: FlowInput }>
  /** The session cookies that each client was given. */
  readonly cookies: { readonly owner: string; readonly token: string }[]
}

export const emailOf = (person: number): string => `person${person}@example.com`
export const firstPassword = 'tidal-lantern-42'
export const callbackUri = 'https://app.example.com/cb'

/** The part of a passkey that proves it, in this world without cryptography. */
export const credentialOf = (person: number): string => `credential-of-person${person}`

/** The response of a person's authenticator to the options of a state. */
export function assertionFor(person: number, challenge: unknown, userId: string): FlowInput {
  const clientData = {
    type: 'webauthn.get',
    challenge: String(challenge),
    origin: 'https://auth.example.com',
  }
  const text = Buffer.from(JSON.stringify(clientData)).toString('base64url')
  const userHandle = Buffer.from(userId).toString('base64url')
  const response = { clientDataJSON: text, authenticatorData: '', signature: '', userHandle }
  const id = credentialOf(person)
  const assertion_response = { id, rawId: id, type: 'public-key', response }
  return { identification: 'passkey', assertion_response }
}

/** The options of a state, which are read by name. */
export const optionsOf = ({ data }: Shown): readonly { readonly [name: string]: unknown }[] =>
  Array.isArray(data.options) ? data.options : []

/** A browser of somebody, whose sessions are noted. */
export function createBrowser({ cluster, cookies }: Clients, owner: string, ip: string): Browser {
  const random = cluster.draw(`browser ${owner} ${ip}`)
  let refusedWith = 0
  const call = async (
    work: (auth: AuthContext) => Promise<FlowResult>,
  ): Promise<Shown | undefined> => {
    const running = cluster.machines.filter(({ life }) => life !== undefined)
    if (running.length === 0) return undefined
    const result = await cluster.ask(random.pick(running), work)
    for (const { name, value } of result.cookies) {
      if (name === 'session' && value !== '') cookies.push({ owner, token: value })
    }
    if (!result.ok) {
      refusedWith = result.error.code
      return undefined
    }
    const { state_token: token, action } = result.result
    return { token, type: action.type, data: action.data as unknown as Shown['data'] }
  }
  return {
    ip,
    get refusedWith() {
      return refusedWith
    },
    begin: (type) => call((auth) => createFlow(auth, { type, name: 'default' }, { ip })),
    send: ({ token }, input) =>
      call((auth) => advanceFlow(auth, { state_token: token, input }, { ip })),
  }
}
