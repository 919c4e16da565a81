import { hashText } from '../../../crypto/crypto.ts'
import type { Json } from '../../../storage/storage.ts'
import type { Identified } from '../../accounts/account.ts'
import { keyOfIdentity } from '../../accounts/identities.ts'
import type { OAuthIdentity } from '../../accounts/identity-record.ts'
import { validationFailed } from '../../errors.ts'
import type { Asking } from '../../flow/asking.ts'
import { bringsIdentities } from '../../flow/flow-type.ts'
import type {
  IdentificationKind,
  IdentificationPrompt,
  Identifying,
} from '../../flow/identification.ts'
import type { FlowNode } from '../../flow/state.ts'
import type { FlowInput, FlowView } from '../../flow/view.ts'
import type { LoginIdRules } from '../../login-ids/login-id.ts'
import { maskEmail } from '../../login-ids/mask.ts'
import type { OAuthAuthorization } from '../../oauth-client/oauth-client.ts'
import {
  missingCredentials,
  oauthRefused,
  providerNotFound,
} from '../../oauth-client/oauth-errors.ts'
import type { OAuthProviderConfig } from '../../oauth-client/oauth-provider.ts'
import { callbackSchema, readCallback } from './oauth-callback.ts'
import {
  incomingOAuthIdentity,
  oauthAccountOf,
  oauthRecord,
  renewedOAuthRecord,
  requireEmail,
} from './oauth-identity.ts'
import { providerMembers, redirectSchema } from './oauth-option.ts'
import { ask } from './oauth-questions.ts'
import { redirectProblem } from './oauth-redirect.ts'

const identification = 'oauth'

type OAuthRecord = Identified<OAuthIdentity>

/** The user is at a provider. Only the state contains the verifier for redeeming the code. */
interface OAuthNode extends FlowNode {
  readonly kind: 'oauth'
  readonly alias: string
  readonly redirect_uri: string
  readonly nonce: string
  readonly code_verifier: string
  /** The data for the client, the same at every read. */
  readonly data: { readonly [name: string]: Json }
}

/** Identification by an account of an identity provider. `rulesOf` returns the rules for email addresses. */
export function createOAuthIdentification(
  rulesOf: (view: FlowView) => LoginIdRules,
): IdentificationKind {
  return {
    identification,
    isProof: true,
    *options(_branch, { config, state }) {
      if (!config.authentication.identities.includes(identification)) return []
      const options = []
      for (const provider of config.identity.oauth.providers) {
        if (bringsIdentities(state.type) && provider.create_disabled) continue
        const status = yield* ask('oauth_status', { alias: provider.alias })
        options.push({ identification, ...providerMembers(provider, status) })
      }
      return options
    },
    schema: ({ alias = null }) => ({
      required: ['alias', ...(redirectSchema.required ?? [])],
      properties: { alias: { const: alias as string | null }, ...redirectSchema.properties },
    }),
    *identify({ alias }, input, view) {
      return { kind: 'prompt', node: yield* leave(findProvider(alias, view), input, view) }
    },
    *find(incoming) {
      const { provider_type: type, unique_key: key } = oauthAccountOf(incoming)
      return yield* ask('identity', { key: keyOfIdentity('oauth', type, key) })
    },
    toRecord: (incoming, id, userId, { now }) =>
      oauthRecord(incoming, { id, user_id: userId, created_at: now }),
    checkNew(incoming, view) {
      requireEmail(findProvider(incoming.source, view), incoming)
    },
    renew: (next, stored, incoming) =>
      oauthAccountOf(incoming).keeps_claims
        ? renewedOAuthRecord(next as OAuthRecord, stored as OAuthRecord)
        : next,
    *signInBy(identity, { config }) {
      if (!config.authentication.identities.includes(identification)) return undefined
      const { provider_alias: alias, email } = identity as OAuthIdentity
      const provider = config.identity.oauth.providers.find((one) => one.alias === alias)
      if (provider === undefined) return undefined
      const status = yield* ask('oauth_status', { alias })
      return {
        masked_display_name: email === undefined ? alias : maskEmail(email),
        input: { alias },
        shown: providerMembers(provider, status),
      }
    },
    signInSchema: redirectSchema,
    prompts: [createPrompt(rulesOf) as IdentificationPrompt],
  }
}

/** @throws {GatehouseError} `OAuthProviderNotFound` if the provider was removed from the configuration during the flow. */
function findProvider(alias: unknown, { config }: FlowView): OAuthProviderConfig {
  const provider = config.identity.oauth.providers.find((one) => one.alias === alias)
  if (provider === undefined) throw providerNotFound()
  return provider
}

/** Sends the user to a provider. */
function* leave(
  provider: OAuthProviderConfig,
  input: FlowInput,
  view: FlowView,
): Asking<OAuthNode> {
  const { alias } = provider
  const redirect_uri = String(input.redirect_uri)
  const problem = redirectProblem(redirect_uri, view.config.identity.oauth.allowed_redirect_uris)
  if (problem !== undefined) throw validationFailed([problem])
  const status = yield* ask('oauth_status', { alias })
  if (status === 'missing_credentials') throw missingCredentials(provider)
  const nonce = yield* randomText()
  const code_verifier = yield* randomText()
  const authorization_url = yield* ask('oauth_authorization_url', {
    alias,
    redirect_uri,
    ...responseMode(input),
    prompt: view.session.authorization?.prompt ?? [],
    nonce,
    code_challenge: hashText('sha256', code_verifier).toString('base64url'),
  })
  const { provider_type: _older, ...members } = providerMembers(provider, status)
  const data = { type: 'oauth_data', ...members, oauth_authorization_url: authorization_url }
  return { kind: 'oauth', alias, redirect_uri, nonce, code_verifier, data }
}

function responseMode({
  response_mode: mode,
}: FlowInput): Pick<OAuthAuthorization, 'response_mode'> {
  return mode === 'form_post' || mode === 'query' ? { response_mode: mode } : {}
}

/** 256 bits, as 43 unreserved URL characters. @see RFC 7636, section 4.1 */
function* randomText(): Asking<string> {
  const bytes = yield* ask('random', { size: 32 })
  return Buffer.from(bytes).toString('base64url')
}

const createPrompt = (
  rulesOf: (view: FlowView) => LoginIdRules,
): IdentificationPrompt<OAuthNode> => ({
  kind: 'oauth',
  *show({ data }) {
    return { data }
  },
  schema: () => callbackSchema,
  *react(node, input, view): Asking<Identifying> {
    const { alias, redirect_uri, nonce, code_verifier } = node
    const provider = findProvider(alias, view)
    const callback = readCallback(input)
    if ('refusal' in callback) throw oauthRefused(provider.type, callback.refusal)
    const redemption = { ...callback, redirect_uri, nonce, code_verifier }
    const profile = yield* ask('oauth_redeem', { alias, ...redemption })
    const incoming = incomingOAuthIdentity(provider, profile, rulesOf(view))
    return { kind: 'identity', incoming }
  },
})
