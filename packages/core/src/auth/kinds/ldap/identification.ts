import type { Json } from '../../../storage/storage.ts'
import type { Identified } from '../../accounts/account.ts'
import { keyOfIdentity } from '../../accounts/identities.ts'
import type { CustomIdentity } from '../../accounts/identity-record.ts'
import type { IncomingIdentity } from '../../accounts/incoming-identity.ts'
import type { Asking } from '../../flow/asking.ts'
import { claimNames } from '../../flow/claims.ts'
import type { IdentificationKind, OwnLinkingRule } from '../../flow/identification.ts'
import type { FlowView } from '../../flow/view.ts'
import type { LdapEntry, LdapServer } from '../../ldap-client/ldap.ts'
import { attempt } from '../../limits/attempt.ts'
import { attemptBuckets } from '../../limits/buckets.ts'
import type { LoginIdRules } from '../../login-ids/login-id.ts'
import { maskEmail } from '../../login-ids/mask.ts'
import { readClaims } from '../../login-ids/read-claims.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { passwordForms } from '../../secrets/typed-password.ts'
import { ask } from './ldap-questions.ts'

const identification = 'ldap'

const text = { type: 'string', minLength: 1, maxLength: 1_024 } as const
const loginSchema = {
  required: ['username', 'password'],
  properties: { username: text, password: text },
} satisfies JsonSchema

/** The claims that only one user may have. */
const conflicts: readonly OwnLinkingRule[] = claimNames.map((claim) => ({
  claim,
  user_claim: claim,
  action: 'error',
}))

/** An account in a directory. JSON. */
interface LdapAccount {
  readonly server_name: string
  readonly user_id: string
  readonly username: string
  readonly claims: LdapEntry['claims']
}

/**
 * Identification by name and password of a directory. The directory checks the password; attempts are limited like those of
 * passwords, by address and by name. An account whose address, phone number or user name another user has is a duplicate.
 */
export function createLdapIdentification(
  rulesOf: (view: FlowView) => LoginIdRules,
): IdentificationKind {
  return {
    identification,
    isProof: true,
    *options(_branch, { config: { authentication, identity } }) {
      if (!authentication.identities.includes(identification)) return []
      return identity.ldap.servers.map(({ name }) => ({ identification, server_name: name }))
    },
    schema: ({ server_name: name = null }) => ({
      required: ['server_name', ...loginSchema.required],
      properties: { server_name: { const: name as string }, ...loginSchema.properties },
    }),
    *identify({ server_name: name }, input, view) {
      const login = { username: String(input.username).trim(), password: String(input.password) }
      const key = keyOfLogin(String(name), login.username)
      const entry = yield* attempt({
        user_id: undefined,
        // The user is not known yet: the name in the directory stands in.
        uses: attemptBuckets(view, 'password', key, yield* signedInAs(key, view)),
        type: identification,
        event: 'authentication.identity.ldap.failed',
        *check() {
          for (const password of passwordForms(login.password)) {
            const given = { server_name: String(name), username: login.username, password }
            const found = yield* ask('ldap_entry', given)
            if (found !== undefined) return found
          }
          return undefined
        },
      })
      const { servers } = view.config.identity.ldap
      const server = servers.find((one) => one.name === name)
      const account = { ...entry, server_name: String(name), username: login.username }
      return { kind: 'identity', incoming: incomingOf(account, server, rulesOf(view)) }
    },
    *find({ own }) {
      return yield* ask('identity', {
        key: keyOfIdentity('custom', identification, uniqueKeyOf(own as unknown as LdapAccount)),
      })
    },
    toRecord({ own, claims: { email } }, id, userId, { now }): Identified<CustomIdentity> {
      return {
        id,
        user_id: userId,
        created_at: now,
        ...(email === undefined ? {} : { email }),
        type: 'custom',
        identification,
        unique_key: uniqueKeyOf(own as unknown as LdapAccount),
        data: own,
      }
    },
    linking: conflicts,
    *signInBy(identity, { config }) {
      const { server_name } = (identity as CustomIdentity).data as unknown as LdapAccount
      const isThere = config.identity.ldap.servers.some(({ name }) => name === server_name)
      if (!isThere || !config.authentication.identities.includes(identification)) return undefined
      const masked_display_name =
        identity.email === undefined ? server_name : maskEmail(identity.email)
      return { masked_display_name, input: { server_name }, shown: { server_name } }
    },
    signInSchema: loginSchema,
  }
}

const keyOfLogin = (server: string, username: string): string =>
  `ldap:${server}:${comparableName(username)}`

/** The user of the request's session, if they have signed in by this name before. */
function* signedInAs(key: string, { request }: FlowView): Asking<string | undefined> {
  if (request.session_token === null) return undefined
  const session = yield* ask('session', undefined)
  const account = session && (yield* ask('account', { user_id: session.user_id }))
  const hasName = account?.identities.some((identity) => {
    if (identity.type !== 'custom' || identity.identification !== identification) return false
    const { server_name, username } = identity.data as unknown as LdapAccount
    return keyOfLogin(server_name, username) === key
  })
  return hasName === true ? session?.user_id : undefined
}

/**
 * Directories compare names without regard to case, width, spaces and invisible characters. Without the same care each spelling
 * of a name would have attempts of its own. @see RFC 4518, section 2
 */
const comparableName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Two directories may use one id for different users. */
const uniqueKeyOf = ({ server_name: server, user_id: id }: LdapAccount): string => `${server}:${id}`

/** A phone number and a user name are not claimed by the new identity: they belong to the user who proves them. */
function incomingOf(
  { server_name, user_id, username, claims: said }: LdapAccount,
  server: LdapServer | undefined,
  rules: LoginIdRules,
): IncomingIdentity {
  const claims = readClaims(said, rules)
  const isVerified = claims.email !== undefined && server?.claims.email.assume_verified === true
  const own: LdapAccount = { server_name, user_id, username, claims: said }
  return {
    identification,
    names: { IdentityTypeIncoming: identification },
    source: server_name,
    claims,
    verified: isVerified ? ['email'] : [],
    display: claims.email === undefined ? server_name : maskEmail(claims.email),
    own: own as unknown as Json,
  }
}
