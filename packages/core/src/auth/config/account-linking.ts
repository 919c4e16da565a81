import { mappingOf, wholeOf } from '../../document/fields.ts'
import { type Decode, memberOrSelf, type Place } from '../../document/place.ts'
import { filledText, flag, listOf, oneOf } from '../../document/values.ts'
import { claimOfLoginId } from '../accounts/identities.ts'
import type { ClaimName } from '../accounts/records.ts'
import type { LinkingRule, LoadedAuthConfig } from './config.ts'
import type { IdentifyBranch, LinkingAction, LinkingOverride } from './flow-definition.ts'
import type { DocumentNotes, LinkingSort } from './flows/flow-notes.ts'
import { noteName, reportUnknownName } from './names.ts'
import { objectName } from './values.ts'

type Overrides = NonNullable<IdentifyBranch['account_linking']>

/** Something that was read, and where. */
interface Placed<T> {
  readonly place: Place
  readonly rule: T
}

/** The section as it is written. Which claim a key of login IDs has shows once all of the document is read. */
export interface WrittenLinking {
  readonly oauth: readonly Placed<LinkingRule>[]
  readonly login_id: readonly Placed<Omit<LinkingRule, 'claim'>>[]
  readonly allow_unverified: boolean
}

const action = oneOf<LinkingAction>('error', 'login_and_link')

const pointers: ReadonlyMap<string, ClaimName> = new Map([
  ['/email', 'email'],
  ['/phone_number', 'phone_number'],
  ['/preferred_username', 'preferred_username'],
])

const writtenPointer = wholeOf<{ readonly pointer: string }>(
  { pointer: oneOf(...pointers.keys()) },
  { required: ['pointer'] },
)

const claim: Decode<ClaimName> = (place) => pointers.get(writtenPointer(place)?.pointer ?? '')

interface RuleKeys {
  readonly name?: string
  readonly action?: LinkingAction
  readonly user_profile: ClaimName
}

const oauthKeys = wholeOf<RuleKeys & { readonly alias: string; readonly oauth_claim: ClaimName }>(
  { name: filledText, alias: filledText, oauth_claim: claim, user_profile: claim, action },
  { required: ['alias', 'oauth_claim', 'user_profile'] },
)

const loginIdKeys = wholeOf<RuleKeys & { readonly key: string }>(
  { name: filledText, key: filledText, user_profile: claim, action },
  { required: ['key', 'user_profile'] },
)

const oauthRule: Decode<LinkingRule> = (place) => {
  const given = oauthKeys(place)
  if (given === undefined) return undefined
  const { name, alias: source, oauth_claim: from, user_profile: user_claim } = given
  return { name, source, claim: from, user_claim, action: given.action ?? 'error' }
}

const loginIdRule: Decode<Omit<LinkingRule, 'claim'>> = (place) => {
  const given = loginIdKeys(place)
  if (given === undefined) return undefined
  const { name, key: source, user_profile: user_claim } = given
  return { name, source, user_claim, action: given.action ?? 'error' }
}

/** Rules whose names are all different, which are noted, sound or not. */
function rulesOf<Rule>(rule: Decode<Rule>, names: Set<string>): Decode<readonly Placed<Rule>[]> {
  return listOf((place: Place) => {
    noteName(place, names, { key: 'name', what: 'a rule' })
    const read = rule(place)
    return read === undefined ? undefined : { place, rule: read }
  })
}

/** When an identity that comes in is taken for one of an account that is there. */
export function accountLinking({ rules }: DocumentNotes): Decode<WrittenLinking> {
  const written = mappingOf<WrittenLinking>({
    oauth: rulesOf(oauthRule, rules.oauth),
    login_id: rulesOf(loginIdRule, rules.login_id),
    allow_unverified: flag,
  })
  return (place) => ({ oauth: [], login_id: [], allow_unverified: false, ...written(place) })
}

/** The rules with their claims; those of providers and keys that are not there are refused. */
export function resolveLinking(
  { oauth, login_id, allow_unverified }: WrittenLinking,
  { oauth: { providers }, login_id: { keys } }: LoadedAuthConfig['identity'],
  { sources, patience }: DocumentNotes,
): LoadedAuthConfig['account_linking'] {
  const types = new Map(keys.map(({ key, type }) => [key, type]))
  const aliases = new Set([...sources.oauth, ...providers.map(({ alias }) => alias)])
  const names = new Set([...sources.login_id, ...types.keys()])
  for (const { place, rule } of oauth) {
    const name = { name: rule.source, known: aliases, patience }
    if (aliases.has(rule.source)) continue
    reportUnknownName(memberOrSelf(place, 'alias'), 'there is no provider', name)
  }
  const ofKeys = login_id.flatMap(({ place, rule }): readonly LinkingRule[] => {
    const type = types.get(rule.source)
    if (type !== undefined) return [{ ...rule, claim: claimOfLoginId[type] }]
    const name = { name: rule.source, known: names, patience }
    if (names.has(rule.source)) return []
    reportUnknownName(memberOrSelf(place, 'key'), 'there is no login ID key', name)
    return []
  })
  return { oauth: oauth.map(({ rule }) => rule), login_id: ofKeys, allow_unverified }
}

const writtenOverride = wholeOf<LinkingOverride>(
  { name: filledText, action, login_flow: objectName },
  { required: ['name'] },
)

/** How a branch of a flow departs from the rules. */
export function linkingOverrides(notes: DocumentNotes): Decode<Overrides> {
  const overridesOf = (sort: LinkingSort): Decode<readonly LinkingOverride[]> =>
    listOf((place: Place) => {
      const override = writtenOverride(place)
      if (override === undefined) return undefined
      const { name, login_flow: login } = override
      notes.overrides.push({ place: memberOrSelf(place, 'name'), sort, name })
      if (login !== undefined) {
        notes.flows.push({ place: memberOrSelf(place, 'login_flow'), type: 'login', name: login })
      }
      return override
    })
  return mappingOf<Overrides>({ oauth: overridesOf('oauth'), login_id: overridesOf('login_id') })
}
