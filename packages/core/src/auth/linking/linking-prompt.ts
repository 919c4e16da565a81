import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { IdentifyBranch, Step } from '../config/flow-definition.ts'
import { carriedNote } from '../flow/carried.ts'
import { needFlow } from '../flow/need-flow.ts'
import type { FlowNode } from '../flow/state.ts'
import { suspendedNotes } from '../flow/suspended-sign-up.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from '../flow/view.ts'
import { redirectSchema } from '../kinds/oauth/oauth-option.ts'
import {
  botProtectionSchema,
  passBotProtection,
  withBotProtection,
} from '../limits/bot-protection.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { LinkingOption } from './linking-options.ts'

/** An identity whose account is there already, and by what its user may sign in. */
export interface LinkingNode extends FlowNode {
  readonly kind: 'account_linking'
  readonly incoming: IncomingIdentity
  readonly branch: IdentifyBranch
  readonly options: readonly LinkingOption[]
}

const isOAuth = ({ option }: LinkingOption): boolean => option.identification === 'oauth'

/** The choice of a way to sign in, after which the identity becomes the account's. @see Authgear, account linking */
export const linkingNode: NodeHandler<LinkingNode> = {
  kind: 'account_linking',
  class: 'other',
  *show({ incoming, options }, view) {
    return {
      identification: incoming.identification,
      data: {
        type: 'account_linking_identification_data',
        options: options.map((one) => withBotProtection(one.option, one, view)),
      },
    }
  },
  schema: ({ options }, view) => ({
    oneOf: options.map((option, index): JsonSchema => {
      const more = isOAuth(option) ? redirectSchema : {}
      const schema: JsonSchema = {
        type: 'object',
        required: ['index', ...(more.required ?? [])],
        properties: { index: { const: index }, ...more.properties },
      }
      return botProtectionSchema(schema, option, view)
    }),
  }),
  *react(node, input, view) {
    const chosen = node.options[Number(input.index)]
    if (chosen === undefined) throw new TypeError('an input fits no option of its step')
    const passed = yield* passBotProtection(chosen, input, view)
    const reaction = beginLogin(node, chosen, input, view)
    return { ...reaction, notes: { ...passed, ...reaction.notes } }
  },
}

/** The login of the account's user, with the sign-up put behind it. */
function beginLogin(
  { incoming, branch }: LinkingNode,
  chosen: LinkingOption,
  { redirect_uri = null, response_mode }: FlowInput,
  view: FlowView,
): Reaction {
  const { type, name, entered, facts, after, pending } = view.state
  const { option, login_flow: loginFlow, user_id } = chosen
  const mode = response_mode === undefined ? {} : { response_mode }
  const input = isOAuth(chosen) ? { ...chosen.input, redirect_uri, ...mode } : chosen.input
  const then: readonly Step[] = [{ type: 'link_identity' }, ...after, ...pending]
  return {
    become: {
      ...needFlow(view, 'login', loginFlow),
      then,
      facts: [{ kind: 'user_identified', user_id }],
    },
    notes: {
      ...carriedNote({ option, input }),
      ...suspendedNotes({ type, name, entered, facts, incoming, branch, user_id }),
    },
  }
}
