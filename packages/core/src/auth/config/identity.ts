import { sectionOf, wholeOf } from '../../document/fields.ts'
import {
  type Decode,
  findMember,
  memberOrSelf,
  type Place,
  report,
  warn,
} from '../../document/place.ts'
import { filledText, flag, integer, listOf, oneOf } from '../../document/values.ts'
import type { LoadedAuthConfig, LoginIdKeyConfig } from './config.ts'
import { defaultAuthConfig, loginIdKey } from './default-config.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'
import { ignoring } from './ignored.ts'
import { noteName } from './names.ts'
import { oauthProviders } from './oauth-providers.ts'

type LoginId = LoadedAuthConfig['identity']['login_id']
type EmailType = LoginId['types']['email']

const { identity: defaults } = defaultAuthConfig('', '')

interface WrittenKey extends Partial<LoginIdKeyConfig> {
  readonly type: LoginIdKeyConfig['type']
  /** How `create_disabled`, `update_disabled` and `delete_disabled` were said once. */
  readonly modify_disabled?: boolean
}

const writtenKey = wholeOf<WrittenKey>(
  {
    type: oneOf('email', 'phone', 'username'),
    key: filledText,
    max_length: integer(1),
    create_disabled: flag,
    update_disabled: flag,
    delete_disabled: flag,
    modify_disabled: flag,
  },
  { required: ['type'] },
)

const key: Decode<LoginIdKeyConfig> = (place) => {
  const given = writtenKey(place)
  if (given === undefined) return undefined
  const { modify_disabled: isFixed, ...rest } = given
  const modifyPlace = findMember(place, 'modify_disabled')
  if (modifyPlace !== undefined) {
    warn(modifyPlace, 'is now create_disabled, update_disabled and delete_disabled')
  }
  const fixed =
    isFixed === undefined
      ? {}
      : { create_disabled: isFixed, update_disabled: isFixed, delete_disabled: isFixed }
  return { ...loginIdKey(given.type), ...fixed, ...rest }
}

/** Keys whose names are all different. */
function keys({ sources }: DocumentNotes): Decode<readonly LoginIdKeyConfig[]> {
  return listOf((place: Place) => {
    noteName(place, sources.login_id, { key: 'key', otherwise: 'type', what: 'the key' })
    return key(place)
  })
}

const emailSection = sectionOf<EmailType>(defaults.login_id.types.email, {
  case_sensitive: flag,
  block_plus_sign: flag,
  ignore_dot_sign: flag,
  domain_blocklist_enabled: flag,
  domain_allowlist_enabled: flag,
  block_free_email_provider_domains: flag,
  block_disposable_email_domains: flag,
})

/** Domains are either let in by name, or kept out by name. */
const email: Decode<EmailType> = (place) => {
  const given = emailSection(place)
  if (!given.domain_allowlist_enabled) return given
  for (const other of ['domain_blocklist_enabled', 'block_free_email_provider_domains'] as const) {
    if (!given[other]) continue
    report(memberOrSelf(place, other), 'conflict', 'not together with domain_allowlist_enabled')
  }
  return given
}

const username = sectionOf<LoginId['types']['username']>(defaults.login_id.types.username, {
  block_reserved_usernames: flag,
  exclude_keywords_enabled: flag,
  ascii_only: flag,
  case_sensitive: flag,
})

/** By what people are known. */
export function identity(notes: DocumentNotes): Decode<LoadedAuthConfig['identity']> {
  return sectionOf<LoadedAuthConfig['identity']>(
    defaults,
    {
      login_id: sectionOf<LoginId>(defaults.login_id, {
        keys: keys(notes),
        types: sectionOf(defaults.login_id.types, { email, username }),
      }),
      oauth: oauthProviders(notes),
      on_conflict: sectionOf(defaults.on_conflict, { promotion: oneOf('error', 'login') }),
    },
    { ignored: ignoring('ldap', 'biometric', 'anonymous', 'passkey', 'siwe') },
  )
}
