import type { Json } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import type { ClaimName } from '../accounts/identity-record.ts'
import { checkAttributes } from '../accounts/user-profile.ts'
import type { FillInUserProfileStep, ProfileField } from '../config/flow-definition.ts'
import { validationFailed } from '../errors.ts'
import { needAccount } from '../flow/account.ts'
import type { FlowNode } from '../flow/state.ts'
import type { FlowView, NodeHandler, StepHandler } from '../flow/view.ts'
import type { PhoneNumbers } from '../login-ids/phone.ts'

interface ProfileNode extends FlowNode {
  readonly kind: 'fill_in_user_profile'
}

/** The step in which a user fills in a profile, and its prompt. */
export function createFillInUserProfile(phoneNumbers: PhoneNumbers): {
  readonly step: StepHandler<FillInUserProfileStep>
  readonly node: NodeHandler<ProfileNode>
} {
  return {
    step: {
      type: 'fill_in_user_profile',
      *enter(_step, view) {
        yield* needAccount(view)
        const node: ProfileNode = { kind: 'fill_in_user_profile' }
        return { node }
      },
    },
    node: {
      kind: 'fill_in_user_profile',
      class: 'other',
      *show(_node, view) {
        return { data: { attributes: fieldsOf(view).map((field) => shownField(field, view)) } }
      },
      schema: () => ({
        type: 'object',
        required: ['attributes'],
        properties: { attributes: { type: 'array' } },
      }),
      *react(_node, input, view) {
        const account = yield* needAccount(view)
        const checked = checkAttributes(
          {
            user_profile: fieldsOf(view),
            custom_attributes: view.config.user_profile.custom_attributes.attributes,
            claims: claimsOf(account),
            phoneNumbers,
          },
          input.attributes,
        )
        if ('causes' in checked) throw validationFailed(checked.causes)
        return { facts: [{ kind: 'profile_filled', changes: checked.attributes }] }
      },
    },
  }
}

function fieldsOf({ state: { step } }: FlowView): readonly ProfileField[] {
  return step?.type === 'fill_in_user_profile' ? step.user_profile : []
}

/** A field as a page needs it, so that the page need not know the configuration. */
function shownField(
  { pointer, required }: ProfileField,
  { config }: FlowView,
): { readonly [name: string]: Json } {
  const { attributes } = config.user_profile.custom_attributes
  const custom = attributes.find((attribute) => attribute.pointer === pointer)
  if (custom === undefined) return { pointer, required }
  const { type, minimum, maximum, enum: values } = custom
  return {
    pointer,
    required,
    type,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(values === undefined ? {} : { enum: [...values] }),
  }
}

/** The claims of an account's identities. */
export function claimsOf({ identities }: Account): Readonly<Record<ClaimName, readonly string[]>> {
  const valuesOf = (name: ClaimName): readonly string[] =>
    identities.flatMap((identity) => identity[name] ?? [])
  return {
    email: valuesOf('email'),
    phone_number: valuesOf('phone_number'),
    preferred_username: valuesOf('preferred_username'),
  }
}
