import type { Account, Identified } from '../../accounts/account.ts'
import type { PasskeyAuthenticator } from '../../accounts/authenticator-record.ts'
import type { PlainStep } from '../../config/flow-definition.ts'
import { invalidCredentials } from '../../errors.ts'
import { accountOf, needAccount } from '../../flow/account.ts'
import type { FlowNode } from '../../flow/state.ts'
import type { FlowInput, FlowView, NodeHandler, StepHandler } from '../../flow/view.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { credentialSchema } from './credential-schema.ts'
import { arePasskeysEnabled, passkeysOf } from './passkey.ts'
import { ask } from './passkey-questions.ts'

interface CreatePasskeyNode extends FlowNode {
  readonly kind: 'create_passkey'
  readonly user: { readonly id: string; readonly name: string; readonly display_name: string }
}

/** Identifications that can have a passkey beside them. */
const identifications: ReadonlySet<string | undefined> = new Set(['email', 'phone', 'username'])

/** Notes that the user was asked in this flow, so that it happens once. */
const asked = { prompt_create_passkey: true }

/** The step that offers to create a passkey to a user without one. */
export const promptCreatePasskeyStep: StepHandler<PlainStep> = {
  type: 'prompt_create_passkey',
  *enter(_step, view) {
    const isEnabled = arePasskeysEnabled(view.config)
    if (!isEnabled || (!isDemanded(view) && (!isBeside(view) || wasAsked(view)))) return 'skip'
    const account = yield* needAccount(view)
    const { user } = account
    if (!isDemanded(view) && (passkeysOf(account).length > 0 || hasOptedOut(account, view)))
      return 'skip'
    const name = nameOf(account)
    const node: CreatePasskeyNode = {
      kind: 'create_passkey',
      user: { id: user.id, name, display_name: name },
    }
    return { node, notes: asked }
  },
}

/** Whether the flow identified its user in a way that allows a passkey. */
function isBeside({ state }: FlowView): boolean {
  return state.entered.some(
    ({ type, identification }) => type === 'identify' && identifications.has(identification),
  )
}

/** Whether the user requested it, in a change of their own account; then no question is needed. */
const isDemanded = ({ state }: FlowView): boolean => state.type === 'account'

const wasAsked = ({ state }: FlowView): boolean => state.notes.prompt_create_passkey === true

/** Users who have opted out are asked again if the configuration no longer allows opting out. */
const mayOptOut = ({ config }: FlowView): boolean => config.ui.passkey_upselling_opt_out_enabled

const hasOptedOut = ({ user }: Account, view: FlowView): boolean =>
  user.opt_out_passkey && mayOptOut(view)

/** The user's name in the browser's own dialogs. */
function nameOf({ user, identities }: Account): string {
  for (const identity of identities) if (identity.type === 'login_id') return identity.original
  return user.id
}

/** The prompt of the step. */
export const promptCreatePasskeyNode: NodeHandler<CreatePasskeyNode> = {
  kind: 'create_passkey',
  class: 'other',
  *show({ user }, view) {
    const account = yield* accountOf(view)
    const exclude = account === undefined ? [] : passkeysOf(account)
    return {
      data: {
        type: 'create_passkey_data',
        creation_options: yield* ask('passkey_creation_options', { user, exclude }),
        ...(mayOptOut(view) && !isDemanded(view) ? { allow_do_not_ask_again: true } : {}),
      },
    }
  },
  schema: (_node, view) =>
    isDemanded(view) ? creationSchema : { oneOf: [creationSchema, skipSchema(view)] },
  *react({ user }, input, view) {
    if (input.skip === true) {
      return input.do_not_ask_again === true ? { facts: [{ kind: 'passkey_opted_out' }] } : {}
    }
    const response = input.creation_response as FlowInput
    const made = yield* ask('verify_passkey_creation', { response })
    if (made === undefined) throw invalidCredentials('passkey')
    const authenticator: Identified<PasskeyAuthenticator> = {
      ...made.passkey,
      id: made.id,
      type: 'passkey',
      kind: 'primary',
      user_id: user.id,
      display_name: `Passkey @ ${new Date(view.now).toISOString()}`,
      created_at: view.now,
      updated_at: view.now,
    }
    return {
      facts: [{ kind: 'authenticator_created', authenticator }],
      entered: { authenticator_id: made.id },
    }
  },
}

const creationSchema: JsonSchema = {
  type: 'object',
  required: ['creation_response'],
  properties: {
    creation_response: credentialSchema('attestationObject', 'clientDataJSON'),
  },
}

const skipSchema = (view: FlowView): JsonSchema => ({
  type: 'object',
  required: ['skip'],
  properties: {
    skip: { const: true },
    do_not_ask_again: mayOptOut(view) ? { type: 'boolean' } : { const: false },
  },
})
