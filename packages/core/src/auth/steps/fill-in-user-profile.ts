import type { Account } from '../accounts/account.ts'
import type { ClaimName } from '../accounts/identity-record.ts'
import { checkAttributes } from '../accounts/user-profile.ts'
import type { FillInUserProfileStep } from '../config/flow-definition.ts'
import { validationFailed } from '../errors.ts'
import { needAccount } from '../flow/account.ts'
import type { FlowNode } from '../flow/state.ts'
import type { NodeHandler, StepHandler } from '../flow/view.ts'
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
      *show() {
        return { data: {} }
      },
      schema: () => ({
        type: 'object',
        required: ['attributes'],
        properties: { attributes: { type: 'array' } },
      }),
      *react(_node, input, view) {
        const account = yield* needAccount(view)
        const { step } = view.state
        const fields = step?.type === 'fill_in_user_profile' ? step.user_profile : []
        const checked = checkAttributes(
          {
            user_profile: fields,
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
