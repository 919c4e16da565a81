import { type SharedWork, shareWork } from '../async/shared-work.ts'
import type { Clock, Instant } from '../time/clock.ts'
import { basicCredentials } from './basic-credentials.ts'
import { clientError } from './errors.ts'
import type { OAuth2 } from './http-config.ts'
import { type ReadFile, readSecret } from './read-secret.ts'
import type { OutgoingAnswer, OutgoingRequest } from './send-request.ts'
import { readToken, type Token } from './token.ts'

/** A source of access tokens. */
export interface TokenSource {
  /** A token for a configuration: the cached one, or a new one. All waiting callers share one request. */
  get(oauth2: OAuth2, signal: AbortSignal): Promise<IssuedToken>
  /** Removes a token that was refused from the cache; a newer one stays. */
  drop(oauth2: OAuth2, token: IssuedToken): void
}

/** An issued token. */
export interface IssuedToken {
  /** The value of `Authorization`. */
  readonly authorization: string
  /** When it stops being used; `undefined` if it does not expire. */
  readonly usableUntil: Instant | undefined
  /** The client secret that it was issued for. */
  readonly clientSecret: string
}

/** Dependencies of {@link createTokenSource}. */
export interface TokenSourceOptions {
  readonly clock: Clock
  readonly readFile: ReadFile
  /** Sends a request with the TLS options and the proxy of the configuration. */
  readonly send: (
    request: OutgoingRequest,
    oauth2: OAuth2,
    signal: AbortSignal,
  ) => Promise<OutgoingAnswer>
}

/** Where a client sends its credentials. Servers differ in which of the two they accept. @see RFC 6749, section 2.3.1 */
type CredentialsIn = 'header' | 'body'

/** The cached state of one configuration. */
interface Memory {
  token?: IssuedToken
  pending?: { readonly clientSecret: string; readonly work: SharedWork<IssuedToken> }
  credentialsIn?: CredentialsIn
}

/** How long before its expiry a token stops being used, so that it does not expire on the way. */
const marginMs = 10_000

/** Requests tokens by the client-credentials grant. @see RFC 6749, section 4.4 */
export function createTokenSource({ clock, readFile, send }: TokenSourceOptions): TokenSource {
  const memories = new WeakMap<OAuth2, Memory>()

  const memoryOf = (oauth2: OAuth2): Memory => {
    const memory = memories.get(oauth2) ?? {}
    memories.set(oauth2, memory)
    return memory
  }

  const request = async (
    oauth2: OAuth2,
    clientSecret: string,
    signal: AbortSignal,
  ): Promise<Token> => {
    const memory = memoryOf(oauth2)
    const requestWith = async (credentialsIn: CredentialsIn): Promise<Token> => {
      const outgoing = tokenRequest(oauth2, clientSecret, credentialsIn)
      const token = readToken(await send(outgoing, oauth2, signal))
      memory.credentialsIn = credentialsIn
      return token
    }
    if (memory.credentialsIn !== undefined) return requestWith(memory.credentialsIn)
    try {
      return await requestWith('header')
    } catch {
      signal.throwIfAborted()
      return requestWith('body')
    }
  }

  const issue = async (
    oauth2: OAuth2,
    clientSecret: string,
    signal: AbortSignal,
  ): Promise<IssuedToken> => {
    const { type, value, lifetimeMs } = await request(oauth2, clientSecret, signal)
    const usableUntil = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs - marginMs
    const token = { authorization: `${type} ${value}`, usableUntil, clientSecret }
    memoryOf(oauth2).token = token
    return token
  }

  return {
    async get(oauth2, signal) {
      const { client_secret: value, client_secret_file: file } = oauth2
      const clientSecret = await readSecret(readFile, { value, file, name: 'client secret' })
      const memory = memoryOf(oauth2)
      const { token } = memory
      if (token?.clientSecret === clientSecret && isUsable(token, clock.now())) return token
      let { pending } = memory
      if (pending?.clientSecret !== clientSecret || pending.work.isAbandoned) {
        const work = shareWork((ended) => issue(oauth2, clientSecret, ended))
        pending = { clientSecret, work }
        memory.pending = pending
      }
      try {
        return await pending.work.wait(signal)
      } finally {
        if (memory.pending === pending && pending.work.isAbandoned) delete memory.pending
      }
    },
    drop(oauth2, token) {
      const memory = memoryOf(oauth2)
      if (memory.token === token) delete memory.token
    },
  }
}

const isUsable = ({ usableUntil }: IssuedToken, now: Instant): boolean =>
  usableUntil === undefined || now < usableUntil

/** @throws {GatehouseError} `OAuth2Failed` if `endpoint_params` has a parameter that is set here. */
function tokenRequest(
  oauth2: OAuth2,
  clientSecret: string,
  credentialsIn: CredentialsIn,
): OutgoingRequest {
  const { client_id, scopes, endpoint_params, token_url } = oauth2
  const params = new Map([['grant_type', 'client_credentials']])
  if (scopes.length > 0) params.set('scope', scopes.join(' '))
  for (const [name, value] of endpoint_params) {
    // Some servers use another name for this grant.
    if (params.has(name) && name !== 'grant_type') {
      throw clientError(
        'OAuth2Failed',
        `oauth2: cannot overwrite parameter ${JSON.stringify(name)}`,
      )
    }
    params.set(name, value)
  }
  if (credentialsIn === 'body') {
    params.set('client_id', client_id)
    if (clientSecret !== '') params.set('client_secret', clientSecret)
  }
  const sorted = new URLSearchParams([...params])
  sorted.sort()
  const authorization = basicCredentials(formEncoded(client_id), formEncoded(clientSecret))
  return {
    method: 'POST',
    url: token_url?.reveal() ?? '',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(credentialsIn === 'header' ? { authorization } : {}),
    },
    body: sorted.toString(),
  }
}

/** @see RFC 6749, appendix B */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
