import type { Json } from '../../../storage/storage.ts'
import type { Identified } from '../../accounts/account.ts'
import { claimOfLoginId, keyOfIdentity } from '../../accounts/identities.ts'
import type { IdentityRecord, LoginIdIdentity } from '../../accounts/identity-record.ts'
import type { IncomingIdentity } from '../../accounts/incoming-identity.ts'
import type { LoadedAuthConfig, LoginIdKeyConfig } from '../../config/config.ts'
import { invalidLoginId, type ValidationCause } from '../../errors.ts'
import type { Asking } from '../../flow/asking.ts'
import { bringsIdentities } from '../../flow/flow-type.ts'
import type { IdentificationKind } from '../../flow/identification.ts'
import { ask } from '../../flow/questions.ts'
import type { FlowView } from '../../flow/view.ts'
import {
  type LoginId,
  type LoginIdProblem,
  type LoginIdRules,
  type LoginIdType,
  readLoginId,
} from '../../login-ids/login-id.ts'
import { maskEmail, maskLoginId } from '../../login-ids/mask.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { externalLoginId, takesExternalJwt } from './external-login-id.ts'

const typed: JsonSchema = {
  required: ['login_id'],
  properties: { login_id: { type: 'string' } },
}
const typedOrExternal: JsonSchema = {
  properties: { ...typed.properties, external_jwt: { type: 'string' } },
  oneOf: [{ required: ['login_id'] }, { required: ['external_jwt'] }],
}

/**
 * Identification by a login ID of one type, which users type; in sign-ups the token of another issuer may have it. `rulesOf`
 * returns the rules for login IDs.
 */
export function createLoginIdIdentification(
  type: LoginIdType,
  rulesOf: (view: FlowView) => LoginIdRules,
): IdentificationKind {
  return {
    identification: type,
    *options(_branch, view) {
      const key = firstKey(type, view.config)
      if (key === undefined || !view.config.authentication.identities.includes('login_id'))
        return []
      return key.create_disabled && isAddedByOwner(view) ? [] : [{ identification: type }]
    },
    schema: (_option, _index, view) => (takesExternalJwt(view) ? typedOrExternal : typed),
    *identify(_option, input, view) {
      if (typeof input.external_jwt === 'string' && takesExternalJwt(view)) {
        const { text, verified } = yield* externalLoginId(type, input.external_jwt)
        return {
          kind: 'identity',
          incoming: { ...readNew(type, text, rulesOf(view), view), verified },
        }
      }
      const text = typeof input.login_id === 'string' ? input.login_id : ''
      const incoming = bringsIdentities(view.state.type)
        ? readNew(type, text, rulesOf(view), view)
        : lookedUp(type, text, rulesOf(view), view)
      return { kind: 'identity', incoming }
    },
    find: findLoginId,
    toRecord: toLoginIdRecord,
    *signInBy(identity, { config }) {
      if (!config.authentication.identities.includes('login_id')) return undefined
      if (firstKey(type, config) === undefined) return undefined
      const { normalized, original } = identity as LoginIdIdentity
      // Another user with the same address need not know the user name, so mask it too.
      const masked = type === 'username' ? maskEmail(original) : maskLoginId(type, normalized)
      return { masked_display_name: masked, input: { login_id: original } }
    },
  }
}

/** A login ID, and the others that the same text may mean (default none). */
interface OwnLoginId extends LoginId {
  readonly others?: readonly LoginId[]
}

/** Reads a login ID for a user who does not have it yet. */
function readNew(
  type: LoginIdType,
  text: string,
  rules: LoginIdRules,
  { config }: FlowView,
): IncomingIdentity {
  const read = readLoginId(type, text, rules, 'create')
  if ('problem' in read) throw invalidLoginId(causeOf(read.problem))
  return incomingLoginId(read.loginId, config)
}

/**
 * Reads a login ID to look up. It may be of another type than the user was asked for. Where flows hide whether a user has it,
 * the text alone determines the type, so that known and unknown login IDs are treated alike.
 */
function lookedUp(
  type: LoginIdType,
  text: string,
  rules: LoginIdRules,
  { config, state }: FlowView,
): IncomingIdentity {
  const types = new Set([type, ...config.identity.login_id.keys.map((key) => key.type)])
  const meanings = [...types].flatMap((one) => {
    const read = readLoginId(one, text, rules, 'look-up')
    return 'loginId' in read ? [read.loginId] : []
  })
  const asNew = readLoginId(type, text, rules, state.type === 'signup_login' ? 'create' : 'look-up')
  const problem = 'problem' in asNew ? causeOf(asNew.problem) : undefined
  const [first, ...others] = meanings
  if (first === undefined) throw invalidLoginId(problem)
  const incoming = incomingLoginId(first, config)
  const isHidden =
    state.type === 'account_recovery' || config.authentication.enumeration_protection !== 'off'
  return {
    ...incoming,
    identification: type,
    names: { ...incoming.names, LoginIDTypeIncoming: type },
    own: { ...first, others: isHidden ? [] : others } as unknown as Json,
    ...(problem === undefined ? {} : { problem }),
  }
}

const causeOf = (problem: LoginIdProblem): ValidationCause => ({
  location: '/login_id',
  ...problem,
})

/** Whether a signed-in user adds a login ID to their account, and does not replace another. Sign-ups may always create one. */
const isAddedByOwner = ({ state }: FlowView): boolean =>
  state.type === 'account' && state.facts.every(({ kind }) => kind !== 'identity_removed')

/** The first key of a type, under which login IDs are created. */
export function firstKey(
  type: LoginIdType,
  { identity }: Pick<LoadedAuthConfig, 'identity'>,
): LoginIdKeyConfig | undefined {
  return identity.login_id.keys.find((key) => key.type === type)
}

/** Converts a login ID to an incoming identity. */
export function incomingLoginId(
  loginId: LoginId,
  config: Pick<LoadedAuthConfig, 'identity'>,
): IncomingIdentity {
  const { type, original, normalized } = loginId
  return {
    identification: type,
    names: { IdentityTypeIncoming: 'login_id', LoginIDTypeIncoming: type },
    source: firstKey(type, config)?.key ?? type,
    claims: { [claimOfLoginId[type]]: normalized },
    verified: [],
    display: maskLoginId(type, type === 'username' ? original : normalized),
    own: loginId as unknown as Json,
  }
}

/** The stored identity with the login ID. */
function* findLoginId({ own }: IncomingIdentity): Asking<Identified<IdentityRecord> | undefined> {
  const { others = [], ...first } = own as unknown as OwnLoginId
  for (const { type, uniqueKey } of [first, ...others]) {
    const found = yield* ask('identity', { key: keyOfIdentity('login_id', type, uniqueKey) })
    if (found !== undefined) return found
  }
  return undefined
}

/** The record of an incoming login ID, in a flow. */
const toLoginIdRecord: NonNullable<IdentificationKind['toRecord']> = (
  incoming,
  id,
  userId,
  { now },
) => loginIdRecord(incoming, { id, user_id: userId, created_at: now })

/** The record of an incoming login ID. */
export function loginIdRecord(
  { own, source }: IncomingIdentity,
  about: Pick<Identified<LoginIdIdentity>, 'id' | 'user_id' | 'created_at'>,
): Identified<LoginIdIdentity> {
  const { type, original, normalized, uniqueKey } = own as unknown as LoginId
  return {
    ...about,
    type: 'login_id',
    login_id_type: type,
    login_id_key: source,
    original,
    normalized,
    unique_key: uniqueKey,
    [claimOfLoginId[type]]: normalized,
  }
}
