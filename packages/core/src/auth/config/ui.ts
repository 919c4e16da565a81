import {
  built,
  filledListOf,
  flag,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import { countryCodes } from '../login-ids/country-codes.ts'
import { flowNames } from './clients.ts'
import type { LoadedAuthConfig } from './config.ts'
import { recoveryChannels } from './flows/flow-steps.ts'
import { ignoring } from './ignored.ts'
import { distinctBy, objectName, section } from './values.ts'

type Ui = LoadedAuthConfig['ui']

const country = textLike(
  (code) => countryCodes.has(code),
  'a country as two capital letters, such as HK',
)

const phoneInput: Schema<Ui['phone_input']> = built(
  mapping(
    {
      allowlist: optional(filledListOf(country), 'Countries as two capital letters. Default: all.'),
      validation: section(
        {
          implementation: optional(oneOf('libphonenumber'), 'The only one.'),
          libphonenumber: section(
            {
              validation_method: withDefault(
                oneOf('isValidNumber', 'isPossibleNumber'),
                'isValidNumber',
                'How strictly numbers are checked.',
              ),
            },
            'Settings of libphonenumber.',
          ),
        },
        'How numbers are checked.',
      ),
    },
    { ignored: ignoring('pinned_list', 'preselect_by_ip_disabled') },
  ),
  ({ allowlist, validation: { libphonenumber } }) => ({ allowlist, ...libphonenumber }),
)

/** Keys that are about pages of Authgear's own. */
const pageKeys = [
  'signup_login_flow_enabled',
  'implementation',
  'settings_implementation',
  'authentication_disabled',
  'settings_disabled',
  'direct_access_disabled',
  'brand_page_uri',
  'default_branding_page_uri',
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

/** Settings shared by Authgear's pages and custom ones. */
export const ui: Schema<Ui> = mapping(
  {
    passkey_upselling_opt_out_enabled: withDefault(
      flag,
      false,
      'Whether users may decline a passkey for good.',
    ),
    forgot_password: section(
      {
        email: withDefault(
          recoveryChannels,
          [{ channel: 'email', otp_form: 'link' }],
          'For users with an email address.',
        ),
        phone: withDefault(
          recoveryChannels,
          [{ channel: 'sms', otp_form: 'code' }],
          'For users with a phone number.',
        ),
      },
      'The channels of account recovery.',
    ),
    phone_input: withDefault(phoneInput, {}, 'Which phone numbers are accepted.'),
    authentication_flow: section(
      {
        groups: withDefault(
          distinctBy(
            mapping({
              name: required(objectName, 'The name that clients refer to.'),
              flows: required(flowNames, 'Its flows.'),
            }),
            { name: 'the group' },
          ),
          [],
          'Groups of flows, for the lists of clients. Default: none.',
        ),
      },
      'Groups of flows.',
    ),
  },
  { ignored: ignoring(...pageKeys) },
)
