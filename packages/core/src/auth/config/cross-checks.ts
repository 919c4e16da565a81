import { findMember, memberOrSelf, type Place, report, warn } from '../../document/place.ts'
import type { AuthConfig } from '../config.ts'
import { isStandardPointer } from '../user-profile.ts'
import type { DocumentNotes } from './flow-notes.ts'
import { reportUnknownName } from './names.ts'

/** The place of a value below the root, or of the nearest mapping that should have it. */
function placeOf(root: Place, ...keys: readonly string[]): Place {
  return keys.reduce((place, key) => memberOrSelf(place, key), root)
}

/** Checks what sections mean together. */
export function checkTogether(root: Place, config: AuthConfig, notes: DocumentNotes): void {
  checkSecondFactor(root, config)
  checkPasskeys(root, config)
  warnOfNoLoginId(root, config)
  warnOfIdleAuthenticators(root, config)
  warnOfTestMode(root, config)
  checkNames(config, notes)
}

function checkSecondFactor(root: Place, { authentication }: AuthConfig): void {
  const { secondary_authentication_mode: mode } = authentication
  const section = findMember(root, 'authentication')
  const list = section && findMember(section, 'secondary_authenticators')
  if (list?.node.kind !== 'sequence' || list.node.items.length > 0 || mode === 'disabled') return
  report(list, 'empty', `must not be empty with secondary_authentication_mode: ${mode}`)
}

function checkPasskeys(root: Place, { authentication }: AuthConfig): void {
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

/** The generated flows are made of what people are known by. */
function warnOfNoLoginId(root: Place, { authentication, identity }: AuthConfig): void {
  const hasKeys = identity.login_id.keys.length > 0
  if (hasKeys && authentication.identities.includes('login_id')) return
  const place = hasKeys
    ? placeOf(root, 'authentication', 'identities')
    : placeOf(root, 'identity', 'login_id', 'keys')
  warn(place, 'leaves no login ID, so the generated flows let nobody in')
}

/** Codes need an address. */
function warnOfIdleAuthenticators(root: Place, { authentication, identity }: AuthConfig): void {
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

function warnOfTestMode(root: Place, { http, test_mode: modes }: AuthConfig): void {
  if (http.allow_insecure) return
  for (const [key, rules] of Object.entries(modes)) {
    if (rules.length > 0)
      warn(placeOf(root, 'test_mode', key), 'is on, which is not for real users')
  }
}

/** Every flow, group and attribute that is named must be there. */
function checkNames({ ui, user_profile }: AuthConfig, notes: DocumentNotes): void {
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
  const { attributes } = user_profile.custom_attributes
  const known = new Set(attributes.map(({ pointer }) => pointer))
  for (const { place, name } of notes.attributes) {
    if (isStandardPointer(name) || known.has(name)) continue
    reportUnknownName(place, 'there is no attribute', { name, known, patience })
  }
}
