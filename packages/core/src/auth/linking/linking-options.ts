import type { Account, Identified } from '../accounts/account.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type {
  BranchBotProtection,
  FlowDefinition,
  IdentifyStep,
} from '../config/flow-definition.ts'
import type { Asking } from '../flow/asking.ts'
import type { IdentificationKind, IdentificationOption } from '../flow/identification.ts'
import type { FlowInput, FlowView } from '../flow/view.ts'
import { identificationOf } from './linked-account.ts'

/** A way to sign in as the user of an account. JSON. */
export interface LinkingOption {
  /** The option as the client sees it. */
  readonly option: IdentificationOption
  /** The input that the login gets. */
  readonly input: FlowInput
  readonly login_flow: string
  readonly user_id: string
  /** The bot protection that the login's branch requires. */
  readonly bot_protection?: BranchBotProtection
}

type Way = Pick<LinkingOption, 'option' | 'input'>

/** The kinds of identification, by name. */
export type LinkingKinds = ReadonlyMap<
  string,
  Pick<IdentificationKind, 'signInBy' | 'signInSchema'>
>

/** The ways of an account to sign in that the login accepts. */
export function* linkingOptions(
  { user, identities }: Account,
  login: FlowDefinition,
  kinds: LinkingKinds,
  view: FlowView,
): Asking<readonly LinkingOption[]> {
  const step = login.steps.find((one): one is IdentifyStep => one.type === 'identify')
  const options: LinkingOption[] = []
  for (const identity of identities) {
    const way = yield* wayOf(identity, kinds, view)
    const branch = step?.one_of.find((one) => one.identification === way?.option.identification)
    if (way === undefined || branch === undefined) continue
    const { bot_protection: bot } = branch
    const more = bot === undefined ? {} : { bot_protection: bot }
    options.push({ ...way, login_flow: login.name, user_id: user.id, ...more })
  }
  return options
}

function* wayOf(
  identity: Identified<IdentityRecord>,
  kinds: LinkingKinds,
  view: FlowView,
): Asking<Way | undefined> {
  const identification = identificationOf(identity)
  const kind = kinds.get(identification)
  const way = kind?.signInBy === undefined ? undefined : yield* kind.signInBy(identity, view)
  if (way === undefined) return undefined
  const { masked_display_name, input, shown } = way
  return {
    option: { identification, action: 'login_and_link', masked_display_name, ...shown },
    input: { ...input, identification },
  }
}
