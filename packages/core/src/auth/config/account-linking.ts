import {
  built,
  checked,
  type Fields,
  flag,
  listOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  text,
  withDefault,
} from '../../document/schema.ts'
import { claimOfLoginId } from '../accounts/identities.ts'
import type { ClaimName } from '../accounts/identity-record.ts'
import type { LinkingRule, LoadedAuthConfig } from './config.ts'
import type { IdentifyBranch, LinkingAction, LinkingOverride } from './flow-definition.ts'
import { objectName } from './values.ts'

interface WrittenRule extends Pick<LinkingRule, 'name' | 'action'> {
  readonly user_profile: ClaimName
}

/** The section as it is written. Which claim a key of login IDs has depends on other sections. */
export interface WrittenLinking {
  readonly oauth: readonly (WrittenRule & {
    readonly alias: string
    readonly oauth_claim: ClaimName
  })[]
  readonly login_id: readonly (WrittenRule & { readonly key: string })[]
  readonly allow_unverified: boolean
}

const action = oneOf<LinkingAction>('error', 'login_and_link')

const claims = {
  '/email': 'email',
  '/phone_number': 'phone_number',
  '/preferred_username': 'preferred_username',
} as const

const claim: Schema<ClaimName> = built(
  mapping(
    { pointer: required(oneOf('/email', '/phone_number', '/preferred_username'), 'The claim.') },
    { title: 'WrittenPointer' },
  ),
  ({ pointer }) => claims[pointer],
)

const ruleFields: Fields<WrittenRule> = {
  name: optional(text, 'The name that flows refer to.'),
  user_profile: required(claim, 'The claim of the account that is compared.'),
  action: withDefault(
    action,
    'error',
    'Whether the identity is refused, or linked to the account after a login.',
  ),
}

/** Rules in a list. A flow that names a rule means every one of that name. */
const rulesOf = <Rule extends WrittenRule>(rule: Schema<Rule>): Schema<readonly Rule[]> =>
  checked(listOf(rule), ({ value, warn }) => {
    const seen = new Set<string>()
    // Sound parts of rules.
    for (const [index, one] of (value as readonly (Partial<WrittenRule> | undefined)[]).entries()) {
      if (one?.name === undefined) continue
      if (seen.has(one.name))
        warn([index, 'name'], 'is the name of an earlier rule too: flows mean both')
      seen.add(one.name)
    }
  })

/** When a new identity is linked to an existing account. */
export const accountLinking: Schema<WrittenLinking> = mapping({
  oauth: withDefault(
    rulesOf(
      mapping<WrittenLinking['oauth'][number]>(
        {
          alias: required(text, 'The alias of a provider.'),
          oauth_claim: required(claim, 'The claim of the new identity.'),
          ...ruleFields,
        },
        { isOpen: true },
      ),
    ),
    [],
    'Rules for identities of providers.',
  ),
  login_id: withDefault(
    rulesOf(
      mapping<WrittenLinking['login_id'][number]>(
        { key: required(text, 'One of `identity.login_id.keys`.'), ...ruleFields },
        { isOpen: true },
      ),
    ),
    [],
    'Rules for login IDs.',
  ),
  allow_unverified: withDefault(
    flag,
    false,
    'Whether an address that the provider has not verified links too.',
  ),
})

/** The rules with their claims. */
export function linkingOf(
  { oauth, login_id, allow_unverified }: WrittenLinking,
  { login_id: { keys } }: LoadedAuthConfig['identity'],
): LoadedAuthConfig['account_linking'] {
  const types = new Map(keys.map(({ key, type }) => [key, type]))
  return {
    oauth: oauth.map(({ name, alias, oauth_claim, user_profile, action: what }) => ({
      name,
      source: alias,
      claim: oauth_claim,
      user_claim: user_profile,
      action: what,
    })),
    login_id: login_id.flatMap(({ name, key, user_profile, action: what }) => {
      const type = types.get(key)
      if (type === undefined) return []
      const about = { name, source: key, user_claim: user_profile, action: what }
      return [{ ...about, claim: claimOfLoginId[type] }]
    }),
    allow_unverified,
  }
}

const overrides = listOf(
  mapping<LinkingOverride>(
    {
      name: required(text, 'The name of a rule of `account_linking`.'),
      action: optional(action, 'The action to take instead.'),
      login_flow: optional(
        objectName,
        'The login flow to go through. Default: the one with the name of the sign-up.',
      ),
    },
    { title: 'LinkingOverride', isOpen: true },
  ),
)

type Overrides = NonNullable<IdentifyBranch['account_linking']>

/** How a branch of a flow departs from the rules. */
export const linkingOverrides: Schema<Overrides> = mapping<Overrides>(
  {
    oauth: optional(overrides, 'For identities of providers.'),
    login_id: optional(overrides, 'For login IDs.'),
  },
  { title: 'LinkingOverrides', isOpen: true },
)
