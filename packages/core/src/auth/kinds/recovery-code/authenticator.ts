import type { Authenticator } from '../../flow/authenticator.ts'
import { attempt } from '../../limits/attempt.ts'
import { attemptBuckets } from '../../limits/buckets.ts'
import { ask } from './recovery-code-questions.ts'

const authentication = 'recovery_code'

/** Authentication by a recovery code, for users who have lost their other factors. */
export const recoveryCodeAuthenticator: Authenticator = {
  authentication,
  kind: 'pseudo',
  amr: ['x_recovery_code'],
  *offer(_branch, account, view) {
    if (view.config.authentication.recovery_code.disabled || account.recovery_codes === 0) return []
    return [{ option: { authentication } }]
  },
  schema: () => ({
    required: ['recovery_code'],
    properties: { recovery_code: { type: 'string' } },
  }),
  *authenticate(_offered, input, account, view) {
    const code = typeof input.recovery_code === 'string' ? input.recovery_code : ''
    const userId = account.user.id
    const hash = yield* attempt({
      user_id: userId,
      uses: attemptBuckets(view, 'recovery_code', userId),
      method: 'recovery_code',
      type: 'recovery_code',
      event: 'authentication.secondary.recovery_code.failed',
      check: () => ask('reserve_recovery_code', { user_id: userId, code }),
    })
    return {
      facts: [
        { kind: 'recovery_code_used', hash },
        { kind: 'authentication_used', authentication, authenticator_id: null },
      ],
    }
  },
}
