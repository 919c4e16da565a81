import { needAccount } from '../flow/account.ts'
import type { Authenticator } from '../flow/authenticator.ts'
import type { FlowNode } from '../flow/state.ts'
import type { NodeHandler } from '../flow/view.ts'
import { attempt } from '../limits/attempt.ts'
import { attemptBuckets } from '../limits/buckets.ts'
import { ask } from '../questions.ts'

const authentication = 'secondary_pin'

interface PinNode extends FlowNode {
  readonly kind: 'pin'
}

const pinNode: NodeHandler<PinNode> = {
  kind: 'pin',
  class: 'password',
  *show() {
    return { authentication, data: { type: 'pin_data', digits: 4 } }
  },
  schema: () => ({ type: 'object', required: ['pin'], properties: { pin: { type: 'string' } } }),
  *react(_node, input, view) {
    const { user } = yield* needAccount(view)
    const hash = String(user.custom_attributes.x_pin)
    yield* attempt({
      user_id: user.id,
      uses: attemptBuckets(view, 'password', user.id),
      method: 'password',
      type: 'pin',
      event: 'authentication.secondary.pin.failed',
      *check() {
        const given = { password: String(input.pin), hash }
        return (yield* ask('verify_password', given)).matches || undefined
      },
    })
    return { facts: [{ kind: 'authentication_used', authentication, authenticator_id: null }] }
  },
}

/** Authentication by a PIN, whose hash is stored in an attribute of the user. */
export const pinAuthenticator: Authenticator = {
  authentication,
  kind: 'secondary',
  amr: ['pin', `x_${authentication}`],
  *offer(_branch, { user }) {
    return user.custom_attributes.x_pin === undefined ? [] : [{ option: { authentication } }]
  },
  schema: () => ({}),
  *authenticate() {
    const node: PinNode = { kind: 'pin' }
    return { node }
  },
  nodes: [pinNode],
}
