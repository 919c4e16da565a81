import type { Account, Identified } from '../accounts/account.ts'
import type { CustomAuthenticator } from '../accounts/authenticator-record.ts'
import { validationFailed } from '../errors.ts'
import { needAccount } from '../flow/account.ts'
import type { Asking } from '../flow/asking.ts'
import type { Authenticator } from '../flow/authenticator.ts'
import { ask } from '../flow/questions.ts'
import type { FlowNode } from '../flow/state.ts'
import type { NodeHandler } from '../flow/view.ts'
import { attempt, isUsed } from '../limits/attempt.ts'
import { attemptBuckets } from '../limits/buckets.ts'

const authentication = 'secondary_keypad'

/** Stores PINs safely. */
export interface PinVault {
  /** Returns the slot of the PIN. */
  store(pin: string): Promise<string>
  check(slot: string, pin: string): Promise<boolean>
}

interface KeypadNode extends FlowNode {
  readonly kind: 'keypad'
}

type Pin = Identified<CustomAuthenticator> & { readonly data: { readonly slot: string } }

function pinOf({ authenticators }: Account): Pin | undefined {
  return authenticators.find(
    (one): one is Pin => one.type === 'custom' && one.authentication === authentication,
  )
}

const keypadNode: NodeHandler<KeypadNode> = {
  kind: 'keypad',
  class: 'password',
  *show() {
    return { authentication, data: { type: 'keypad_data', digits: 4 } }
  },
  schema: () => ({ type: 'object', required: ['pin'], properties: { pin: { type: 'string' } } }),
  *react(_node, { pin = null }, view) {
    const account = yield* needAccount(view)
    const { id: userId } = account.user
    const stored = pinOf(account)
    yield* attempt({
      user_id: userId,
      uses: attemptBuckets(view, 'password', userId),
      method: 'password',
      type: 'keypad',
      event: 'authentication.secondary.keypad.failed',
      *check(): Asking<true | undefined> {
        const slot = stored?.data.slot ?? null
        const isRight = yield* ask('port', { name: 'pin_check', ask: { slot, pin } })
        return isRight === true ? true : undefined
      },
    })
    const id = stored?.id ?? null
    return { facts: [{ kind: 'authentication_used', authentication, authenticator_id: id }] }
  },
}

/** Authentication by a PIN of four digits that a vault stores. */
export function createKeypadAuthenticator(vault: PinVault): Authenticator {
  return {
    authentication,
    kind: 'secondary',
    amr: ['pin', `x_${authentication}`],
    *offer(_branch, account, view) {
      const isOffered = pinOf(account) !== undefined && !isUsed(view, authentication)
      return isOffered ? [{ option: { authentication } }] : []
    },
    schema: () => ({}),
    *authenticate() {
      const node: KeypadNode = { kind: 'keypad' }
      return { node }
    },
    creation: {
      *offer(_branch, account) {
        return pinOf(account) === undefined ? { option: { authentication, digits: 4 } } : undefined
      },
      schema: () => ({ required: ['new_pin'], properties: { new_pin: { type: 'string' } } }),
      *create(_offered, { new_pin: pin = null }, { user }, { now }) {
        if (!/^\d{4}$/.test(String(pin))) {
          throw validationFailed([
            { location: '/new_pin', kind: 'format', details: { format: 'pin' } },
          ])
        }
        const slot = yield* ask('port', { name: 'pin_store', ask: { pin } })
        const id = yield* ask('uuid', undefined)
        const authenticator: Identified<CustomAuthenticator> = {
          id,
          type: 'custom',
          authentication,
          kind: 'secondary',
          user_id: user.id,
          data: { slot },
          created_at: now,
          updated_at: now,
        }
        return {
          facts: [{ kind: 'authenticator_created', authenticator }],
          entered: { authenticator_id: id },
        }
      },
    },
    nodes: [keypadNode],
    ports: {
      pin_store: async (asked) => vault.store((asked as { readonly pin: string }).pin),
      pin_check: async (asked) => {
        const { slot, pin } = asked as { readonly slot: string | null; readonly pin: string }
        return slot !== null && vault.check(slot, pin)
      },
    },
  }
}
