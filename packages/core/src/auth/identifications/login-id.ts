import { validationFailed } from '../errors.ts'
import type { FlowView } from '../flow-view.ts'
import type { IdentificationKind, IncomingIdentity } from '../identification.ts'
import { type LoginId, type LoginIdRules, type LoginIdType, readLoginId } from '../login-id.ts'
import { maskEmail, maskPhone } from '../mask.ts'
import { ask } from '../questions.ts'
import type { ClaimName } from '../records.ts'

/** The claim that a login ID of each type asserts. */
export const claimOfLoginId: Readonly<Record<LoginIdType, ClaimName>> = {
  email: 'email',
  phone: 'phone_number',
  username: 'preferred_username',
}

/** Identification by a login ID of one type. `rulesOf` says what login IDs must be like. */
export function createLoginIdIdentification(
  type: LoginIdType,
  rulesOf: (view: FlowView) => LoginIdRules,
): IdentificationKind {
  return {
    identification: type,
    *options(_branch, view) {
      const key = firstKey(type, view)
      if (key === undefined || !view.config.authentication.identities.includes('login_id'))
        return []
      const isSignup = view.state.type === 'signup' || view.state.type === 'promote'
      return isSignup && key.create_disabled ? [] : [{ identification: type }]
    },
    schema: () => ({ required: ['login_id'], properties: { login_id: { type: 'string' } } }),
    *identify(_option, input, view) {
      const text = typeof input.login_id === 'string' ? input.login_id : ''
      const use =
        view.state.type === 'signup' || view.state.type === 'promote' ? 'create' : 'look-up'
      const read = readLoginId(type, text, rulesOf(view), use)
      if ('problem' in read) {
        throw validationFailed([{ location: '/login_id', ...read.problem }], 'invalid login ID')
      }
      return { kind: 'identity', incoming: incomingLoginId(read.loginId) }
    },
  }
}

/** Login IDs are made under the first key of their type. */
function firstKey(
  type: LoginIdType,
  { config }: FlowView,
): { key: string; create_disabled: boolean } | undefined {
  return config.identity.login_id.keys.find((key) => key.type === type)
}

/** A login ID as an identity that came in. */
function incomingLoginId(loginId: LoginId): IncomingIdentity {
  const { type, original, normalized, uniqueKey } = loginId
  return {
    names: { IdentityTypeIncoming: 'login_id', LoginIDTypeIncoming: type },
    claims: { [claimOfLoginId[type]]: normalized },
    verified: [],
    display: maskLoginId(type, type === 'username' ? original : normalized),
    *find() {
      return yield* ask('login_id', { type, unique_key: uniqueKey })
    },
    toRecord: (id, userId, view) => ({
      id,
      user_id: userId,
      type: 'login_id',
      created_at: view.now,
      login_id_type: type,
      login_id_key: firstKey(type, view)?.key ?? type,
      original,
      normalized,
      unique_key: uniqueKey,
      [claimOfLoginId[type]]: normalized,
    }),
  }
}

/** A login ID as strangers may see it. */
export function maskLoginId(type: LoginIdType, text: string): string {
  if (type === 'email') return maskEmail(text)
  return type === 'phone' ? maskPhone(text) : text
}
