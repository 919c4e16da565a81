import type { LoginIdType } from '../../login-ids/login-id.ts'

/** A login ID in an authorization request. */
export interface HintedLoginId {
  readonly type: LoginIdType
  readonly text: string
  /** Whether only this user may sign in. */
  readonly isDemanded: boolean
}

const parameters = ['email', 'phone', 'username'] as const

/**
 * The login ID in the `login_hint` of an authorization request, in the form of Authgear:
 * `https://authgear.com/login_hint?type=login_id&email=maya%40example.com&enforce=true`. `undefined` for a hint of another form,
 * which demands nothing.
 *
 * Unconfirmed: the names of the parameters.
 */
export function parseLoginHint(hint: string): HintedLoginId | undefined {
  const query = queryOf(hint)
  if (query?.get('type') !== 'login_id') return undefined
  for (const type of parameters) {
    const text = query.get(type)
    if (text !== null && text !== '') {
      return { type, text, isDemanded: query.get('enforce') === 'true' }
    }
  }
  return undefined
}

function queryOf(hint: string): URLSearchParams | undefined {
  const [address = '', ...query] = hint.split('?')
  return /^https:\/\/[^/]+\/login_hint$/.test(address)
    ? new URLSearchParams(query.join('?'))
    : undefined
}
