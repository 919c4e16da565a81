import type { Json } from '../../../storage/storage.ts'
import type { Account, Identified } from '../../accounts/account.ts'
import type { TotpAuthenticator } from '../../accounts/authenticator-record.ts'
import { accountOf, needAccount } from '../../flow/account.ts'
import type { Asking } from '../../flow/asking.ts'
import type { Authenticator } from '../../flow/authenticator.ts'
import type { FlowNode } from '../../flow/state.ts'
import type { FlowInput, FlowView, NodeHandler } from '../../flow/view.ts'
import { attempt, isUsed, type UsedBefore, usedBefore } from '../../limits/attempt.ts'
import { attemptBuckets } from '../../limits/buckets.ts'
import { otpauthUri } from './totp.ts'
import { ask } from './totp-questions.ts'

const authentication = 'secondary_totp'

interface TotpNode extends FlowNode {
  readonly kind: 'totp'
  readonly sealed_secret: string
}

function totpsOf({ authenticators }: Account): readonly Identified<TotpAuthenticator>[] {
  return authenticators.filter((one): one is Identified<TotpAuthenticator> => one.type === 'totp')
}

const codeOf = ({ code }: FlowInput): string => (typeof code === 'string' ? code : '')

/** Checks a code, and counts a wrong one. */
function* attemptCode<T>(
  view: FlowView,
  account: Account,
  check: () => Asking<T | UsedBefore | undefined>,
): Asking<T> {
  const userId = account.user.id
  return yield* attempt({
    user_id: userId,
    uses: attemptBuckets(view, 'totp', userId),
    method: 'totp',
    type: 'totp',
    event: 'authentication.secondary.totp.failed',
    check,
  })
}

/** Prompts for the setup of a TOTP app. */
const totpNode: NodeHandler<TotpNode> = {
  kind: 'totp',
  class: 'totp',
  *show({ sealed_secret: sealed }, view) {
    const secret = yield* ask('open_totp_secret', { sealed })
    const account = yield* accountOf(view)
    const { http, authenticator } = view.config
    const uri = otpauthUri({
      account: nameOf(account),
      issuer: authenticator.totp.issuer ?? http.public_origin,
      secret,
    })
    const data: Record<string, Json> = { type: 'create_totp_data', secret, otpauth_uri: uri }
    return { authentication, data }
  },
  schema: () => ({
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' } },
  }),
  *react({ sealed_secret: sealed }, input, view) {
    const account = yield* needAccount(view)
    const code = codeOf(input)
    const step = yield* attemptCode(view, account, () =>
      ask('verify_totp', { sealed_secret: sealed, code }),
    )
    const id = yield* ask('uuid', undefined)
    const authenticator: Identified<TotpAuthenticator> = {
      id,
      type: 'totp',
      kind: 'secondary',
      user_id: account.user.id,
      sealed_secret: sealed,
      display_name: `TOTP @ ${new Date(view.now).toISOString()}`,
      last_step: step,
      created_at: view.now,
      updated_at: view.now,
    }
    return {
      facts: [{ kind: 'authenticator_created', authenticator }],
      entered: { authenticator_id: id },
    }
  },
}

/** The name of the account in the app. */
function nameOf(account: Account | undefined): string {
  const identities = account?.identities ?? []
  for (const claim of ['email', 'phone_number', 'preferred_username'] as const) {
    const name = identities.find((identity) => identity[claim] !== undefined)?.[claim]
    if (name !== undefined) return name
  }
  return account?.user.id ?? ''
}

/** Authentication by TOTP. @see RFC 6238 */
export const totpAuthenticator: Authenticator = {
  authentication,
  kind: 'secondary',
  amr: ['otp', `x_${authentication}`],
  *offer(_branch, account, view) {
    const isThere = totpsOf(account).some(({ id }) => !isUsed(view, authentication, { id }))
    return isThere ? [{ option: { authentication } }] : []
  },
  schema: () => ({ required: ['code'], properties: { code: { type: 'string' } } }),
  *authenticate(_offered, input, account, view) {
    const code = codeOf(input)
    const { id } = yield* attemptCode(view, account, function* (): Asking<
      { readonly id: string } | UsedBefore | undefined
    > {
      let refused: UsedBefore | undefined
      for (const { id } of totpsOf(account)) {
        if (isUsed(view, authentication, { id })) continue
        const step = yield* ask('verify_totp', { authenticator_id: id, code })
        if (step === usedBefore) refused = step
        else if (step !== undefined) return { id }
      }
      return refused
    })
    return {
      facts: [{ kind: 'authentication_used', authentication, authenticator_id: id }],
      entered: { authenticator_id: id },
    }
  },
  creation: {
    *offer(_branch, account, view) {
      const isFull = totpsOf(account).length >= view.config.authenticator.totp.maximum
      return isFull ? undefined : { option: { authentication } }
    },
    schema: () => ({}),
    *create() {
      const { sealed } = yield* ask('new_totp_secret', undefined)
      const node: TotpNode = { kind: 'totp', sealed_secret: sealed }
      return { node }
    },
  },
  nodes: [totpNode as NodeHandler],
}
