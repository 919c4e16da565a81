import { isLoopbackHost } from '../../http/loopback.ts'
import { parseUrl } from '../../http/parse-url.ts'
import {
  decodeInput,
  exactly,
  type Fields,
  filledText,
  flag,
  functionLike,
  objectOf,
  optional,
} from '../../input/decode.ts'
import { loggerPort, storagePort } from '../../input/ports.ts'
import { invalidInput } from '../../input/refusal.ts'
import { type Logger, loggerOf } from '../../logger.ts'
import type { JsonObject, Storage } from '../../storage/storage.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import { candidatesOf, type DecodedJwt, isSignedByOne } from '../external-jwt/jwt-signature.ts'
import { endpointUrl } from '../oauth-client/http/endpoint-url.ts'
import {
  createSiteAccess,
  type SiteAccessOptions,
  siteAccessFields,
} from '../oauth-client/site-access.ts'
import { readAccessToken, scopesOf } from './access-token.ts'
import { readProof } from './dpop-proof.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import { createProofMemory, createProofRecords, type ProofReplay } from './proof-replay.ts'
import {
  insufficientScope,
  invalidAccessToken,
  invalidProof,
  noToken,
  problemTexts,
  verifierUnavailable,
} from './token-errors.ts'
import { checkFields, demandFields, originsOf, wordsOf } from './token-input.ts'
import { type SentToken, sentToken, targetsOf } from './token-request.ts'
import type { TokenCheck, TokenClaims, TokenDemands, TokenVerifier } from './token-verifier.ts'

/** Options of {@link createTokenVerifier}. */
export interface TokenVerifierOptions extends SiteAccessOptions {
  /** The issuer, as its tokens and its metadata spell it, such as `https://auth.example.com`. */
  issuer: string
  /** The API that verifies, or several names of it: a token must be for one of them (default: each check names it). */
  audience?: string | readonly string[]
  /** Where the issuer publishes its keys (default: as its metadata says, at `/.well-known/openid-configuration`, or that of OAuth). */
  jwksUri?: string
  /** Returns the keys of an issuer that is in the same process (default: they are fetched). */
  keys?: () => readonly JsonObject[] | Promise<readonly JsonObject[]>
  /** Whether a valid token must be refused all the same, such as one of a user who was disabled (default: none must). */
  isRevoked?: (claims: TokenClaims) => boolean | Promise<boolean>
  /**
   * Remembers DPoP proofs that were used, so that no other process accepts them again (default: the memory of this process). Its
   * collection is in `authCollections`.
   */
  storage?: Storage
  /** Whether the issuer may be in a private network, and behind `http` (default: only for an issuer such as `http://localhost:3000`). */
  allowPrivateAddresses?: boolean
  /** Gets a warning when the keys cannot be fetched (default: the console; `false` for none). */
  logger?: Logger | false
}

/** How far the clocks of the issuer and of this machine may differ. */
const skewSeconds = 30

/**
 * Creates a verifier for the access tokens that an authorization server issues for an API: JWTs as in RFC 9068, signed with ES256 or
 * RS256. It fetches the issuer's keys when it needs them, and caches them for five minutes. A key that is not among them is looked
 * for at most once a minute, and an issuer that fails is asked again after five seconds.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @example
 * const verifier = createTokenVerifier({ issuer: 'https://auth.example.com', audience: 'https://api.example.com' })
 * const { sub } = await verifier.verifyToken({ request, scope: 'orders:read' })
 * @see RFC 9068; RFC 9449; RFC 8725
 */
export function createTokenVerifier(given: TokenVerifierOptions): TokenVerifier {
  const options = readOptions(given)
  const { issuer, audience, storage, clock = systemClock, isRevoked = () => false } = options
  const verifier: Verifier = {
    issuer,
    audience: [audience ?? []].flat(),
    clock,
    keysFor: keysOf(options),
    isRevoked,
    replay: storage === undefined ? createProofMemory(clock) : createProofRecords(storage, clock),
  }
  return Object.freeze<TokenVerifier>({
    verifyToken: async (check) => verify(verifier, decodeInput('check', decodeCheck, check)),
  })
}

const decodeCheck = exactly<TokenCheck>(checkFields)

interface Verifier {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly clock: Clock
  readonly keysFor: (jwt: DecodedJwt) => Promise<readonly JsonObject[]>
  readonly isRevoked: (claims: TokenClaims) => boolean | Promise<boolean>
  readonly replay: ProofReplay
}

async function verify(verifier: Verifier, check: TokenCheck): Promise<TokenClaims> {
  const { issuer, clock, keysFor } = verifier
  const audience = check.audience === undefined ? verifier.audience : [check.audience].flat()
  if (audience.length === 0) {
    throw invalidInput('check.audience', 'an audience, here or of the verifier', 'none')
  }
  const sent = sentBy(check)
  if (sent === undefined) throw noToken()
  const demands = { issuer, audience, now: clock.now(), skewSeconds }
  const { jwt, claims, problem } = readAccessToken(sent.token, demands)
  if (jwt === undefined) throw invalidAccessToken(problemTexts[problem])
  if (!(await isSignedByOne(jwt, candidatesOf(jwt, await keysFor(jwt))))) {
    throw invalidAccessToken('is not signed by a key of the issuer')
  }
  await checkBinding(verifier, { sent, claims, check, audience })
  if (await verifier.isRevoked(claims)) throw invalidAccessToken('was revoked')
  checkScope(claims, check)
  return claims
}

function sentBy({ request, token }: TokenCheck): SentToken | undefined {
  if (request !== undefined) return sentToken(request)
  if (token === undefined) throw invalidInput('check.request', 'a request or a token', 'none')
  return { scheme: 'bearer', token }
}

interface Binding {
  readonly sent: SentToken
  readonly claims: TokenClaims
  readonly check: TokenCheck
  readonly audience: readonly string[]
}

/** Checks that the sender has the key that a token is bound to. @see RFC 9449, section 7 */
async function checkBinding(
  { clock, replay }: Verifier,
  { sent: { scheme, token }, claims: { cnf }, check: { request, origin }, audience }: Binding,
): Promise<void> {
  if (cnf === undefined) {
    if (scheme === 'dpop') throw invalidAccessToken('is not bound to a key: use the scheme Bearer')
    return
  }
  const jkt = keyOf(cnf)
  if (jkt === undefined) throw invalidAccessToken('is bound to its sender in an unknown way')
  if (scheme !== 'dpop' || request === undefined) {
    throw invalidAccessToken('is bound to a key: use the scheme DPoP, and send a proof')
  }
  const targets = targetsOf(request, origin === undefined ? originsOf(audience) : [origin])
  const { method, headers } = request
  const demands = { method, targets, token, jkt, now: clock.now() }
  const proof = readProof(headers.get('dpop') ?? '', demands)
  if (proof.jwt === undefined) throw invalidProof(proof.problem)
  if (!(await isSignedByOne(proof.jwt, [proof.key]))) throw invalidProof('has a wrong signature')
  if (!(await replay.use(proof.id))) throw invalidProof('was used before')
}

/** The thumbprint of the key, if that is the only binding. */
function keyOf(cnf: TokenClaims[string]): string | undefined {
  if (typeof cnf !== 'object' || cnf === null || Object.keys(cnf).join() !== 'jkt') return undefined
  const jkt: unknown = Reflect.get(cnf, 'jkt')
  return typeof jkt === 'string' ? jkt : undefined
}

function checkScope(claims: TokenClaims, { scope }: TokenDemands): void {
  const scopes = scopesOf(claims)
  const missing = wordsOf(scope).filter((one) => !scopes.includes(one))
  if (missing.length > 0) throw insufficientScope(missing)
}

/** @throws {GatehouseError} `TokenVerifierUnavailable` */
function keysOf(options: TokenVerifierOptions): Verifier['keysFor'] {
  const { issuer, jwksUri, keys: ownKeys } = options
  const load = (): ((jwt: DecodedJwt) => Promise<readonly JsonObject[]>) => {
    if (ownKeys !== undefined) return async () => ownKeys()
    const logger = loggerOf(options.logger)
    const keySet = createIssuerKeys(createSiteAccess(options), { issuer, jwksUri, logger })
    return (jwt) => keySet.keys((known) => candidatesOf(jwt, known).length > 0)
  }
  const keysFor = load()
  return (jwt) =>
    keysFor(jwt).catch((error: unknown) => {
      throw verifierUnavailable('the keys of the issuer are not available', error)
    })
}

/** @throws {GatehouseError} `InvalidInput` */
function readOptions(given: TokenVerifierOptions): TokenVerifierOptions {
  const allowPrivateAddresses = mayBePrivate(given)
  const url = endpointUrl({ allowHttp: allowPrivateAddresses })
  const fields: Fields<TokenVerifierOptions> = {
    ...siteAccessFields,
    issuer: url,
    audience: demandFields.audience,
    jwksUri: optional(url),
    keys: optional(functionLike('a function that returns keys')),
    isRevoked: optional(functionLike('a function that says whether a token was revoked')),
    storage: optional(storagePort),
    logger: optional(loggerPort),
  }
  const options = decodeInput('options', exactly<TokenVerifierOptions>(fields), given)
  return { ...options, allowPrivateAddresses }
}

/** As the options say; otherwise only in development, where the issuer is on this machine. */
function mayBePrivate(given: TokenVerifierOptions): boolean {
  const { issuer, allowPrivateAddresses: said } = decodeInput(
    'options',
    objectOf<Pick<TokenVerifierOptions, 'issuer' | 'allowPrivateAddresses'>>({
      issuer: filledText,
      allowPrivateAddresses: optional(flag),
    }),
    given,
  )
  const url = parseUrl(issuer)
  return said ?? (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
}
