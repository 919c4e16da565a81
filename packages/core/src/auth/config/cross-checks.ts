import { findMember, memberOrSelf, type Place, report, warn } from '../../document/place.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { isStandardPointer } from '../accounts/user-profile.ts'
import type { LoadedAuthConfig } from './config.ts'
import type { FlowDefinition } from './flow-definition.ts'
import { allSteps, branchesOf } from './flows/all-steps.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'
import { warnOfIdleRules, warnOfMissingLogins } from './linking-checks.ts'
import { reportUnknownName } from './names.ts'

/** The place of a value below the root, or of the nearest mapping that should have it. */
function placeOf(root: Place, ...keys: readonly string[]): Place {
  return keys.reduce((place, key) => memberOrSelf(place, key), root)
}

/** Checks what sections mean together. */
export function checkTogether(root: Place, config: LoadedAuthConfig, notes: DocumentNotes): void {
  checkSecondFactor(root, config)
  checkPasskeys(root, config)
  warnOfNamelessHost(root, config)
  checkAddresses(config, notes)
  checkNames(config, notes)
  warnOfNoWayIn(root, config)
  warnOfIdleProviders(root, config)
  warnOfIdleAuthenticators(root, config)
  warnOfIdleSecondFactor(root, config)
  warnOfIdleRules(root, config)
  warnOfMissingLogins(root, config, notes)
  warnOfIdleProtection(root, config)
  warnOfTestMode(root, config)
}

function checkSecondFactor(root: Place, { authentication }: LoadedAuthConfig): void {
  const { secondary_authentication_mode: mode } = authentication
  const section = findMember(root, 'authentication')
  const list = section && findMember(section, 'secondary_authenticators')
  if (list?.node.kind !== 'sequence' || list.node.items.length > 0 || mode === 'disabled') return
  report(list, 'empty', `must not be empty with secondary_authentication_mode: ${mode}`)
}

function checkPasskeys(root: Place, { authentication }: LoadedAuthConfig): void {
  const { identities, primary_authenticators: primary } = authentication
  const isIdentity = identities.includes('passkey')
  const isAuthenticator = primary.includes('passkey')
  if (isIdentity !== isAuthenticator) {
    const key = isIdentity ? 'primary_authenticators' : 'identities'
    const message = 'must hold passkey too: it is in both identities and primary_authenticators'
    report(placeOf(root, 'authentication', key), 'conflict', message)
  }
  if (isIdentity && !identities.includes('login_id')) {
    const list = placeOf(root, 'authentication', 'identities')
    report(list, 'conflict', 'must hold login_id too: passkey needs it')
  }
}

/** What comes from a provider must come from the provider. */
function checkAddresses({ http }: LoadedAuthConfig, { insecure }: DocumentNotes): void {
  if (http.allow_insecure) return
  for (const place of insecure) {
    report(place, 'conflict', 'must begin with https: or http.allow_insecure must be true')
  }
}

/** Browsers make passkeys for names alone. */
function warnOfNamelessHost(root: Place, { authentication, http }: LoadedAuthConfig): void {
  const origin = parseUrl(http.public_origin)
  if (!authentication.identities.includes('passkey') || origin === undefined) return
  // A parsed URL has addresses in these forms and no other.
  const isAddress = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(origin.hostname)
  if (!isAddress) return
  const place = placeOf(root, 'http', 'public_origin')
  warn(place, 'is an address, and browsers make passkeys for names alone')
}

/** The generated flows are made of what people are known by. */
function warnOfNoWayIn(root: Place, { authentication, identity }: LoadedAuthConfig): void {
  const { identities } = authentication
  const hasKeys = identity.login_id.keys.length > 0
  if (hasKeys && identities.includes('login_id')) return
  if (identity.oauth.providers.length > 0 && identities.includes('oauth')) return
  const place = hasKeys
    ? placeOf(root, 'authentication', 'identities')
    : placeOf(root, 'identity', 'login_id', 'keys')
  warn(place, 'leaves no login ID and no provider, so the generated flows let nobody in')
}

function warnOfIdleProviders(root: Place, { authentication, identity }: LoadedAuthConfig): void {
  if (identity.oauth.providers.length === 0 || authentication.identities.includes('oauth')) return
  const list = placeOf(root, 'authentication', 'identities')
  warn(list, 'lacks oauth, so the providers of identity.oauth are never offered')
}

function warnOfIdleSecondFactor(root: Place, { authentication }: LoadedAuthConfig): void {
  const { secondary_authentication_mode: mode, secondary_applies_to: words } = authentication
  if (mode !== 'disabled' || words.length === 0) return
  const list = placeOf(root, 'authentication', 'secondary_applies_to')
  warn(list, 'has no effect with secondary_authentication_mode: disabled')
}

/** Codes need an address. */
function warnOfIdleAuthenticators(
  root: Place,
  { authentication, identity }: LoadedAuthConfig,
): void {
  const needs = [
    ['oob_otp_email', 'email'],
    ['oob_otp_sms', 'phone'],
  ] as const
  for (const [authenticator, type] of needs) {
    if (!authentication.primary_authenticators.includes(authenticator)) continue
    const hasKey = identity.login_id.keys.some((key) => key.type === type)
    if (hasKey && authentication.identities.includes('login_id')) continue
    const list = placeOf(root, 'authentication', 'primary_authenticators')
    warn(list, `${authenticator} is never offered without a login ID key of the type ${type}`)
  }
}

function warnOfIdleProtection(root: Place, config: LoadedAuthConfig): void {
  const { enabled, requirements } = config.bot_protection
  const modes = Object.values(requirements).map(({ mode }) => mode)
  const isRequired = modes.includes('always') || config.authentication_flow.flows.some(isProtected)
  if (enabled === isRequired) return
  const message = enabled
    ? 'keeps nobody out: no requirement and no branch of a flow has mode: always'
    : 'is not enabled, so what has mode: always is open to machines'
  warn(placeOf(root, 'bot_protection'), message)
}

const isProtected = ({ steps }: FlowDefinition): boolean =>
  allSteps(steps)
    .flatMap(branchesOf)
    .some((branch) => branch.bot_protection?.mode === 'always')

function warnOfTestMode(root: Place, { http, test_mode: modes }: LoadedAuthConfig): void {
  if (http.allow_insecure) return
  for (const [key, rules] of Object.entries(modes)) {
    if (rules.length > 0)
      warn(placeOf(root, 'test_mode', key), 'is on, which is not for real users')
  }
}

/** Every flow, group, attribute and rule that is named must be there. */
function checkNames({ ui, user_profile }: LoadedAuthConfig, notes: DocumentNotes): void {
  const { declared, patience } = notes
  for (const { place, type, name } of notes.flows) {
    const known = declared[type]
    if (name === 'default' || known.has(name)) continue
    reportUnknownName(place, `there is no ${type} flow`, { name, known, patience })
  }
  const groups = new Set(['default', ...ui.authentication_flow.groups.map(({ name }) => name)])
  for (const { place, name } of notes.groups) {
    if (groups.has(name)) continue
    reportUnknownName(place, 'there is no group', { name, known: groups, patience })
  }
  for (const { place, sort, name } of notes.overrides) {
    const known = notes.rules[sort]
    if (known.has(name)) continue
    reportUnknownName(place, `account_linking.${sort} has no rule`, { name, known, patience })
  }
  const { attributes } = user_profile.custom_attributes
  const known = new Set(attributes.map(({ pointer }) => pointer))
  for (const { place, name } of notes.attributes) {
    if (isStandardPointer(name) || known.has(name)) continue
    reportUnknownName(place, 'there is no attribute', { name, known, patience })
  }
}
