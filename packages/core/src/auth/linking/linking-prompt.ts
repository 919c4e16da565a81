import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { IdentifyBranch, Step } from '../config/flow-definition.ts'
import { carriedNote } from '../flow/carried.ts'
import { needFlow } from '../flow/need-flow.ts'
import type { FlowNode } from '../flow/state.ts'
import { suspendedNotes } from '../flow/suspended-sign-up.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from '../flow/view.ts'
import {
  botProtectionSchema,
  passBotProtection,
  withBotProtection,
} from '../limits/bot-protection.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { LinkingKinds, LinkingOption } from './linking-options.ts'

/** An identity whose account exists, with the ways to sign in to it. */
export interface LinkingNode extends FlowNode {
  readonly kind: 'account_linking'
  readonly incoming: IncomingIdentity
  readonly branch: IdentifyBranch
  readonly options: readonly LinkingOption[]
}

/** Asks for a way to sign in; then the identity becomes the account's. @see Authgear, account linking */
export const createLinkingNode = (kinds: LinkingKinds): NodeHandler<LinkingNode> => ({
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
      const more = addedSchema(option, kinds)
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
    const added = addedTo(chosen, kinds, input)
    const reaction = beginLogin(node, { ...chosen, input: added }, view)
    return { ...reaction, notes: { ...passed, ...reaction.notes } }
  },
})

const addedSchema = ({ option }: LinkingOption, kinds: LinkingKinds): JsonSchema =>
  kinds.get(option.identification)?.signInSchema ?? {}

/** The input for the login, with the members the user has added. */
function addedTo(chosen: LinkingOption, kinds: LinkingKinds, input: FlowInput): FlowInput {
  const names = Object.keys(addedSchema(chosen, kinds).properties ?? {})
  const added = Object.entries(input).filter(([name]) => names.includes(name))
  return { ...chosen.input, ...Object.fromEntries(added) }
}

/** Begins the login of the account's user, with the rest of the sign-up to follow. */
function beginLogin(
  { incoming, branch }: LinkingNode,
  { option, input, login_flow: loginFlow, user_id }: LinkingOption,
  view: FlowView,
): Reaction {
  const { type, name, entered, facts, after, pending } = view.state
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
