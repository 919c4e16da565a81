import { mappingOf, sectionOf, wholeOf } from '../../document/fields.ts'
import { type Decode, memberOrSelf, type Place, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { filledListOf, flag, listOf, oneOf, textLike } from '../../document/values.ts'
import { countryCodes } from '../login-ids/country-codes.ts'
import { flowNames } from './clients.ts'
import type { LoadedAuthConfig } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'
import { recoveryChannels } from './flows/flow-steps.ts'
import { ignoring } from './ignored.ts'
import { objectName } from './values.ts'

type Ui = LoadedAuthConfig['ui']
type Group = Ui['authentication_flow']['groups'][number]
type ValidationMethod = Ui['phone_input']['validation_method']

const { ui: defaults } = defaultAuthConfig('', '')

const country = textLike(
  (code) => countryCodes.has(code),
  'a country as two capital letters, such as HK',
)

const libphonenumber = mappingOf<{ readonly validation_method: ValidationMethod }>({
  validation_method: oneOf('isValidNumber', 'isPossibleNumber'),
})

const validation = mappingOf<{
  readonly implementation: 'libphonenumber'
  readonly libphonenumber: { readonly validation_method?: ValidationMethod }
}>({ implementation: oneOf('libphonenumber'), libphonenumber })

interface WrittenInput {
  readonly allowlist: readonly string[]
  readonly validation: {
    readonly libphonenumber?: { readonly validation_method?: ValidationMethod }
  }
}

const writtenInput = mappingOf<WrittenInput>(
  { allowlist: filledListOf(country), validation },
  { ignored: ignoring('pinned_list', 'preselect_by_ip_disabled') },
)

const phoneInput: Decode<Ui['phone_input']> = (place) => {
  const { allowlist, validation: rules } = writtenInput(place) ?? {}
  const method = rules?.libphonenumber?.validation_method
  return { allowlist, validation_method: method ?? defaults.phone_input.validation_method }
}

function groups(notes: DocumentNotes): Decode<readonly Group[]> {
  const writtenGroup = wholeOf<Group>(
    { name: objectName, flows: flowNames(notes) },
    { required: ['name', 'flows'] },
  )
  return (place) => {
    const seen = new Set<string>()
    return listOf((at: Place) => {
      const group = writtenGroup(at)
      if (group === undefined) return undefined
      const { name } = group
      if (seen.has(name)) {
        report(memberOrSelf(at, 'name'), 'conflict', `the group ${quoteKey(name)} is here already`)
      }
      seen.add(name)
      return group
    })(place)
  }
}

/** Keys that are about pages of Authgear's own. */
const pageKeys = [
  'signup_login_flow_enabled',
  'implementation',
  'settings_implementation',
  'authentication_disabled',
  'settings_disabled',
  'direct_access_disabled',
  'brand_page_uri',
  'default_client_uri',
  'default_redirect_uri',
  'default_post_logout_redirect_uri',
  'home_uri',
  'dark_theme_disabled',
  'light_theme_disabled',
  'watermark_disabled',
  'country_calling_code',
  'google_tag_manager',
  'custom_css',
]

/** What Authgear's pages and their replacements have in common. */
export function ui(notes: DocumentNotes): Decode<Ui> {
  return sectionOf<Ui>(
    defaults,
    {
      passkey_upselling_opt_out_enabled: flag,
      forgot_password: sectionOf(defaults.forgot_password, {
        email: recoveryChannels('email'),
        phone: recoveryChannels('sms', 'whatsapp'),
      }),
      phone_input: phoneInput,
      authentication_flow: sectionOf(defaults.authentication_flow, { groups: groups(notes) }),
    },
    { ignored: ignoring(...pageKeys) },
  )
}
