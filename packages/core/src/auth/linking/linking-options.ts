import type {
  Account,
  Identified,
  IdentityRecord,
  LoginIdIdentity,
  OAuthIdentity,
} from '../accounts/records.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type {
  BranchBotProtection,
  FlowDefinition,
  IdentifyStep,
} from '../config/flow-definition.ts'
import type { IdentificationKind, IdentificationOption, SignInWay } from '../flow/identification.ts'
import { type Asking, ask } from '../flow/questions.ts'
import type { FlowInput, FlowView } from '../flow/view.ts'
import { providerMembers } from '../kinds/oauth/oauth-option.ts'
import { maskEmail, maskLoginId } from '../login-ids/mask.ts'

/** A way to sign in as the user of an account. JSON. */
export interface LinkingOption {
  /** As it is shown. */
  readonly option: IdentificationOption
  /** What it says in the login. */
  readonly input: FlowInput
  readonly login_flow: string
  readonly user_id: string
  /** What the login says of who takes it. */
  readonly bot_protection?: BranchBotProtection
}

type Way = Pick<LinkingOption, 'option' | 'input'>

/** The kinds there are, by their names. */
export type LinkingKinds = ReadonlyMap<string, Pick<IdentificationKind, 'signInBy'>>

/** By what the user of an account can sign in through a login, as far as the login takes it. */
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
  const { config } = view
  if (identity.type === 'custom') {
    const { identification } = identity
    const kind = kinds.get(identification)
    const way = kind?.signInBy === undefined ? undefined : yield* kind.signInBy(identity, view)
    return way && wayBy(identification, way)
  }
  const { identities } = config.authentication
  if (!identities.includes(identity.type)) return undefined
  if (identity.type === 'login_id') return loginIdWay(identity, config)
  return identity.type === 'oauth' ? yield* oauthWay(identity, config) : undefined
}

const wayBy = (identification: string, { masked_display_name, input }: SignInWay): Way => ({
  option: { identification, action: 'login_and_link', masked_display_name },
  input: { ...input, identification },
})

function loginIdWay(
  { login_id_type: identification, normalized, original }: LoginIdIdentity,
  { identity }: LoadedAuthConfig,
): Way | undefined {
  if (!identity.login_id.keys.some(({ type }) => type === identification)) return undefined
  // Whoever comes with the same address need not know the name that goes with it, so half of that is hidden too.
  const masked =
    identification === 'username' ? maskEmail(original) : maskLoginId(identification, normalized)
  return wayBy(identification, { masked_display_name: masked, input: { login_id: original } })
}

function* oauthWay(
  { provider_alias: alias, email }: OAuthIdentity,
  { identity }: LoadedAuthConfig,
): Asking<Way | undefined> {
  const provider = identity.oauth.providers.find((one) => one.alias === alias)
  if (provider === undefined) return undefined
  const status = yield* ask('oauth_status', { alias })
  return {
    option: {
      identification: 'oauth',
      action: 'login_and_link',
      masked_display_name: email === undefined ? alias : maskEmail(email),
      ...providerMembers(provider, status),
    },
    input: { identification: 'oauth', alias },
  }
}
