import type { Account, Identified } from '../../accounts/account.ts'
import type { PasswordAuthenticator } from '../../accounts/authenticator-record.ts'
import type { Asking } from '../../flow/asking.ts'
import type { Authenticator } from '../../flow/authenticator.ts'
import type { FlowView } from '../../flow/view.ts'
import { attempt, isUsed } from '../../limits/attempt.ts'
import { attemptBuckets } from '../../limits/buckets.ts'
import { hashNewPassword, newPasswordOf, newPasswordSchema } from './new-password.ts'
import { changeNote } from './password-change.ts'
import { isPassword, passwordOf } from './password-of.ts'
import { passwordPolicyData } from './password-policy.ts'
import { ask } from './password-questions.ts'

const policyOf = ({ config }: FlowView): ReturnType<typeof passwordPolicyData> =>
  passwordPolicyData(config.authenticator.password.policy)

/** Authentication by a password. */
export function createPasswordAuthenticator(kind: 'primary' | 'secondary'): Authenticator {
  const authentication = `${kind}_password`

  /** A second password with the text of the first, such as an imported one, is no second factor. */
  function* sameAs(text: string, account: Account): Asking<{ readonly same_as?: string }> {
    const first = kind === 'secondary' ? passwordOf(account, 'primary') : undefined
    return first !== undefined && (yield* isPassword(text, first)) ? { same_as: first.id } : {}
  }

  return {
    authentication,
    kind,
    amr: ['pwd', `x_${authentication}`],
    *offer(_branch, account, view) {
      // The primary password is offered to all users, so that the answer does not reveal who has none.
      const has = kind === 'primary' || passwordOf(account, kind) !== undefined
      if (!has || isUsed(view, authentication)) return []
      return [{ option: { authentication, password_policy: policyOf(view) } }]
    },
    schema: () => ({ required: ['password'], properties: { password: { type: 'string' } } }),
    *authenticate(_offered, input, account, view) {
      const password = typeof input.password === 'string' ? input.password : ''
      const stored = passwordOf(account, kind)
      const userId = account.user.id
      const { needs_rehash: needsRehash } = yield* attempt({
        user_id: userId,
        uses: attemptBuckets(view, 'password', userId),
        method: 'password',
        type: 'password',
        event: `authentication.${kind}.password.failed`,
        *check() {
          const verified = yield* ask('verify_password', {
            password,
            hash: stored?.hash,
            user_id: userId,
          })
          return verified.matches ? verified : undefined
        },
      })
      const id = stored?.id ?? null
      const from = needsRehash ? stored?.hash : undefined
      const rehash =
        from === undefined
          ? {}
          : { rehash: { from, to: yield* ask('hash_password', { password }) } }
      const since = stored === undefined ? {} : { since: stored.updated_at }
      const same = yield* sameAs(password, account)
      const used = { authentication, authenticator_id: id, ...since, ...rehash, ...same }
      return {
        facts: [{ kind: 'authentication_used', ...used }],
        ...(id === null ? {} : { entered: { authenticator_id: id } }),
        // Only now is the text known; a later step uses the note to decide whether it must be changed.
        ...(stored === undefined ? {} : { notes: yield* changeNote(view, password, stored) }),
      }
    },
    creation: {
      *offer(_branch, account, view) {
        if (passwordOf(account, kind) !== undefined) return undefined
        return { option: { authentication, password_policy: policyOf(view) } }
      },
      schema: () => newPasswordSchema,
      *create(_offered, input, account, view) {
        const hash = yield* hashNewPassword(view, newPasswordOf(input), { account, kind })
        const id = yield* ask('uuid', undefined)
        const authenticator: Identified<PasswordAuthenticator> = {
          id,
          type: 'password',
          kind,
          user_id: account.user.id,
          hash,
          expire_after: null,
          created_at: view.now,
          updated_at: view.now,
        }
        return {
          facts: [{ kind: 'authenticator_created', authenticator }],
          entered: { authenticator_id: id },
        }
      },
    },
  }
}
