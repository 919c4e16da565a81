import {
  built,
  checked,
  type Fields,
  filledListOf,
  filledText,
  flag,
  integer,
  listOf,
  mapping,
  optional,
  required,
  type Schema,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import { nearestWord } from '../../input/suggestion.ts'
import { maxApiKeysPerOwner } from '../accounts/api-key-record.ts'
import { languageTag } from '../accounts/attribute-formats.ts'
import { accountLinking } from './account-linking.ts'
import type { AuthDocument } from './auth-document.ts'
import { authentication } from './authentication.ts'
import { authenticator } from './authenticator.ts'
import { botProtection } from './bot-protection.ts'
import { checkTogether } from './checks/cross-checks.ts'
import { oauth } from './clients.ts'
import type { ApiKeysConfig, LoadedAuthConfig, TokensConfig } from './config.ts'
import { externalJwt } from './external-jwt.ts'
import { authenticationFlow } from './flows/flows.ts'
import { http } from './http.ts'
import { identity } from './identity.ts'
import { ignoring, ignoringSections } from './ignored.ts'
import { limited, perMinute } from './rate-limits.ts'
import { testMode } from './test-mode.ts'
import { ui } from './ui.ts'
import { userProfile } from './user-profile.ts'
import { linkTemplate, maxDays, secondsAsMs, section, span, webAddress } from './values.ts'
import { forgotPassword, verification } from './verification.ts'

type Config = LoadedAuthConfig

const maxSeconds = maxDays * 86_400

const usualLifetime = 31_449_600
const usualIdleTime = 2_592_000

interface WrittenSession extends Omit<Config['session'], 'use_session_cookie'> {
  readonly use_session_cookie: boolean | undefined
  readonly cookie_non_persistent: boolean | undefined
}

const writtenSession = mapping<WrittenSession>({
  lifetime_seconds: withDefault(
    span(maxSeconds, usualLifetime),
    usualLifetime,
    'How long a session lasts, in seconds. The default is 52 weeks.',
  ),
  idle_timeout_enabled: withDefault(flag, true, 'Whether a session that is not used ends.'),
  idle_timeout_seconds: withDefault(
    span(maxSeconds, usualIdleTime),
    usualIdleTime,
    'After which time without use, in seconds. The default is 30 days.',
  ),
  use_session_cookie: optional(
    flag,
    'Whether the cookie goes away when the browser is closed. Default: `false`.',
  ),
  cookie_non_persistent: optional(flag, "Authgear's name for `use_session_cookie`."),
  revoke_on_password_change: withDefault(
    flag,
    true,
    'Whether a changed password ends all other sessions.',
  ),
})

const session: Schema<Config['session']> = built(
  writtenSession,
  ({ cookie_non_persistent: isShort = false, use_session_cookie = isShort, ...given }) => ({
    ...given,
    use_session_cookie,
  }),
)

/** Tokens for programs. */
const tokens: Schema<TokensConfig> = mapping<TokensConfig>({
  access_token_lifetime_seconds: withDefault(
    integer(60, 86_400),
    600,
    'How long an access token is valid, in seconds. Other services accept it so long, even after its session has ended.',
  ),
  refresh_token_lifetime_seconds: withDefault(
    integer(60, maxSeconds),
    2_592_000,
    'How long a refresh token may stay unused, in seconds. It ends with its session in any case.',
  ),
  refresh_token_leeway_seconds: withDefault(
    integer(0, 300),
    10,
    'How long a replaced refresh token may be sent once more, in seconds, since the answer may have been lost. Later, it ends the session.',
  ),
  audience: withDefault(
    listOf(filledText),
    [],
    'Which services access tokens are for. Default: `http.public_origin`.',
  ),
  signing_key_rotation_days: withDefault(
    integer(1, 3_660),
    90,
    'After how many days a new key signs.',
  ),
})

/** @see RFC 6749, section 3.3 */
const scopeName: Schema<string> = textLike(
  (text) => /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(text),
  'at most 64 characters without spaces, quotes and backslashes',
)

/** API keys. */
const apiKeys: Schema<ApiKeysConfig> = checked(
  mapping<ApiKeysConfig>({
    scopes: required(filledListOf(scopeName), 'What keys may be used for, as `orders:read`.'),
    own_scopes: withDefault(
      listOf(scopeName),
      [],
      'Which of them people may give keys that they make on the account page. Default: people make no keys.',
    ),
    max_per_owner: withDefault(
      integer(1, maxApiKeysPerOwner),
      20,
      'How many keys a user or a service can have.',
    ),
    max_lifetime_days: optional(
      integer(1, maxDays),
      'After how many days a key expires at the latest. Default: it lasts until it is revoked.',
    ),
    rate_limits: section(
      {
        wrong_per_ip: limited(
          perMinute(60),
          'Wrong keys, by address. More get 429 in place of 401. Right keys are not held up.',
        ),
      },
      'How often keys are tried.',
    ),
  }),
  ({ value: { scopes, own_scopes: own }, report }) => {
    if (scopes === undefined) return
    for (const [index, one] of (own ?? []).entries()) {
      if (one === undefined || scopes.includes(one)) continue
      report(['own_scopes', index], 'out_of_range', `"scopes" has no ${JSON.stringify(one)}`)
    }
  },
)

const language: Schema<string> = textLike(languageTag.matches, 'a language tag such as de or pt-BR')

const messaging: Schema<Config['messaging']> = mapping(
  {
    rate_limits: section(
      {
        sms_per_ip: limited(perMinute(60), 'Messages by SMS and WhatsApp, by address.'),
        sms_per_target: limited(
          { enabled: true, period: '1h', burst: 10 },
          'Messages by SMS and WhatsApp, by number.',
        ),
        email_per_ip: limited(perMinute(200), 'Emails, by address.'),
        email_per_target: limited(
          { enabled: true, period: '24h', burst: 50 },
          'Emails, by who gets them.',
        ),
        sms: limited({ enabled: false }, 'All messages by SMS and WhatsApp.'),
        email: limited({ enabled: false }, 'All emails.'),
      },
      'How many messages are sent.',
    ),
    notices: section(
      {
        new_sign_in: withDefault(
          flag,
          true,
          'Whether people are told of a sign-in with a browser or from a network that they have not used before.',
        ),
        password_changed: withDefault(flag, true, 'Whether people are told of a new password.'),
        address_changed: withDefault(
          flag,
          true,
          'Whether people are told of a new or removed email address or phone number; a former address is told, too.',
        ),
        factor_changed: withDefault(
          flag,
          true,
          'Whether people are told of a new or removed authenticator, passkey or provider, and of new recovery codes.',
        ),
        api_key_created: withDefault(
          flag,
          true,
          'Whether people are told of a new API key of theirs.',
        ),
        impersonated: withDefault(
          flag,
          false,
          'Whether people are told that an operator acts as them.',
        ),
        deletion_scheduled: withDefault(
          flag,
          true,
          'Whether people are told that the deletion of their account was scheduled; the mail leads to a page that keeps it.',
        ),
      },
      'Mails about changes of an account, and new sign-ins.',
    ),
  },
  {
    ignored: ignoring(
      'sms',
      'email',
      'sms_provider',
      'sms_gateway',
      'sms_usage',
      'email_usage',
      'whatsapp_usage',
      'whatsapp',
    ),
  },
)

const handlerUrl: Schema<string> = textLike(
  (url) => /^(https?|authgeardeno):\/\/\/?[^\s/]/.test(url),
  'an https or http URL',
)

const hook: Schema<Config['hook']> = built(
  mapping({
    blocking_handlers: withDefault(
      listOf(
        mapping(
          {
            event: required(filledText, 'The blocking event, as `user.pre_create`.'),
            url: required(handlerUrl, 'The URL that is asked.'),
          },
          { title: 'AuthBlockingHandler' },
        ),
      ),
      [],
      'Webhooks that may refuse or change an operation, asked in this order. Default: none.',
    ),
    non_blocking_handlers: withDefault(
      listOf(
        mapping(
          {
            events: required(
              listOf(filledText),
              'The events, as `user.created`; `*` stands for all.',
            ),
            url: required(handlerUrl, 'The URL that receives them.'),
          },
          { title: 'AuthEventHandler' },
        ),
      ),
      [],
      'Webhooks that receive events. Default: none.',
    ),
    sync_hook_timeout_seconds: optional(secondsAsMs, 'How long one hook may take. Default: `5`.'),
    sync_hook_total_timeout_seconds: optional(
      secondsAsMs,
      'How long all hooks of an event may take. Default: `10`.',
    ),
  }),
  ({
    sync_hook_timeout_seconds = 5_000,
    sync_hook_total_timeout_seconds = 10_000,
    ...handlers
  }) => ({
    ...handlers,
    sync_hook_timeout_ms: sync_hook_timeout_seconds,
    sync_hook_total_timeout_ms: sync_hook_total_timeout_seconds,
  }),
)

const fields: Fields<AuthDocument> = {
  id: required(filledText, 'The id of the application. A change needs a restart.'),
  http: required(http, 'How the service is reached.'),
  authentication: withDefault(authentication, {}, 'How users sign in, and the rate limits.'),
  identity: withDefault(identity, {}, 'How users are identified.'),
  external_jwt: withDefault(
    externalJwt,
    {},
    'Tokens of other issuers that supply login IDs at a sign-up.',
  ),
  account_linking: withDefault(
    accountLinking,
    {},
    'When a new identity is linked to an existing account. Default: never.',
  ),
  bot_protection: withDefault(botProtection, {}, 'Which steps require a CAPTCHA. Default: none.'),
  authenticator: withDefault(authenticator, {}, 'Passwords, codes and other authenticators.'),
  verification: withDefault(verification, {}, 'How addresses are proven.'),
  forgot_password: withDefault(forgotPassword, {}, 'Account recovery.'),
  session: withDefault(session, {}, 'The lifetime of sessions.'),
  tokens: optional(
    tokens,
    'Access and refresh tokens for apps and other services. Default: programs get none.',
  ),
  api_keys: optional(
    apiKeys,
    'Keys with which programs call your routes, for people or as services. Default: there are none.',
  ),
  user_profile: withDefault(userProfile, {}, 'User profiles: standard and custom attributes.'),
  oauth: withDefault(oauth, {}, 'The client applications.'),
  authentication_flow: withDefault(authenticationFlow, {}, 'The flows that are declared.'),
  ui: withDefault(ui, {}, 'Settings of sign-in pages.'),
  messaging: withDefault(messaging, {}, 'Messages to users.'),
  localization: section(
    {
      fallback_language: withDefault(
        language,
        'en',
        'The language of messages to people whose languages are not available.',
      ),
      supported_languages: optional(
        filledListOf(language),
        'The only languages of messages. Default: all that there are texts in.',
      ),
    },
    'The languages of messages and of the pages that their links lead to.',
  ),
  account_deletion: section(
    {
      scheduled_by_end_user_enabled: withDefault(
        flag,
        false,
        'Whether users can delete their own accounts.',
      ),
      grace_period_days: withDefault(
        integer(1, 180),
        30,
        'How many days users have to change their mind: a sign-in offers to keep the account.',
      ),
    },
    'The deletion of accounts by their users.',
  ),
  invitations: section(
    {
      lifetime_days: withDefault(integer(1, 365), 7, 'How many days an invitation is good.'),
    },
    'Invitations to sign up. They need `links.invitation`.',
  ),
  links: section(
    {
      verify_login_link: optional(
        linkTemplate,
        'The link in `login_link` messages: an absolute URL that contains `{code}`.',
      ),
      reset_password: optional(
        linkTemplate,
        'The link in account recovery messages: an absolute URL that contains `{code}`.',
      ),
      invitation: optional(
        linkTemplate,
        'The link in invitations: an absolute URL of a sign-up page that contains `{code}`, as `https://app.example.com/signup?x_invitation={code}`. Default: nobody can be invited.',
      ),
      not_me: optional(
        webAddress,
        'Where mails about a change of an account lead people who did not make it. Default: the mails say what to do.',
      ),
    },
    'Pages of your own that messages lead to.',
  ),
  test_mode: withDefault(
    testMode,
    {},
    'Codes that are known in advance, and messages that are not sent. Default: none.',
  ),
  hook: withDefault(hook, {}, 'Webhooks for events, and how long hooks may take.'),
}

const keys = Object.keys(fields)

/** The configuration of the authentication flow service. */
export const authSchema: Schema<AuthDocument> = checked(
  mapping(fields, {
    title: 'AuthConfig',
    ignored: ignoringSections((key) => nearestWord(key, keys) !== undefined),
  }),
  checkTogether,
)
