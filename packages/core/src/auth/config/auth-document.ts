import { mappingOf, sectionOf } from '../../document/fields.ts'
import type { Decode } from '../../document/place.ts'
import { filledText, flag, integer } from '../../document/values.ts'
import { nearestWord } from '../../input/suggestion.ts'
import { accountLinking, resolveLinking, type WrittenLinking } from './account-linking.ts'
import { authentication } from './authentication.ts'
import { authenticator } from './authenticator.ts'
import { botProtection } from './bot-protection.ts'
import { oauth } from './clients.ts'
import type { LoadedAuthConfig } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import type { FurtherKinds } from './flows/flow-grammar.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'
import { authenticationFlow } from './flows/flows.ts'
import { http } from './http.ts'
import { identity } from './identity.ts'
import { ignoring, ignoringSections } from './ignored.ts'
import { rateLimit } from './rate-limits.ts'
import { testMode } from './test-mode.ts'
import { ui } from './ui.ts'
import { userProfile } from './user-profile.ts'
import { linkTemplate, secondsAsMs } from './values.ts'
import { forgotPassword, verification } from './verification.ts'

/** The whole document as it is written. */
interface WrittenAuth extends Omit<LoadedAuthConfig, 'warnings' | 'account_linking'> {
  readonly account_linking: WrittenLinking
}

const defaults = defaultAuthConfig('', '')
const longestSeconds = 100 * 366 * 86_400

const session = sectionOf<LoadedAuthConfig['session']>(defaults.session, {
  lifetime_seconds: integer(1, longestSeconds),
  idle_timeout_enabled: flag,
  idle_timeout_seconds: integer(1, longestSeconds),
  use_session_cookie: flag,
  revoke_on_password_change: flag,
})

const messaging = sectionOf<LoadedAuthConfig['messaging']>(
  defaults.messaging,
  {
    rate_limits: sectionOf(defaults.messaging.rate_limits, {
      sms_per_ip: rateLimit,
      sms_per_target: rateLimit,
      email_per_ip: rateLimit,
      email_per_target: rateLimit,
      sms: rateLimit,
      email: rateLimit,
    }),
  },
  {
    ignored: ignoring(
      'sms_provider',
      'sms_gateway',
      'sms_usage',
      'email_usage',
      'whatsapp_usage',
      'whatsapp',
    ),
  },
)

const links = sectionOf<LoadedAuthConfig['links']>(defaults.links, {
  verify_login_link: linkTemplate,
  reset_password: linkTemplate,
})

const writtenHook = mappingOf<{
  readonly sync_hook_timeout_seconds: number
  readonly sync_hook_total_timeout_seconds: number
}>(
  { sync_hook_timeout_seconds: secondsAsMs, sync_hook_total_timeout_seconds: secondsAsMs },
  { ignored: ignoring('blocking_handlers', 'non_blocking_handlers') },
)

const hook: Decode<LoadedAuthConfig['hook']> = (place) => {
  const { sync_hook_timeout_seconds: one, sync_hook_total_timeout_seconds: all } =
    writtenHook(place) ?? {}
  return {
    sync_hook_timeout_ms: one ?? defaults.hook.sync_hook_timeout_ms,
    sync_hook_total_timeout_ms: all ?? defaults.hook.sync_hook_total_timeout_ms,
  }
}

const { warnings: _none, ...sections } = defaults
const keys = Object.keys(sections)

/** The whole document. What is named in it is noted, to be checked once all of it is known. */
export function authDocument(
  notes: DocumentNotes,
  further: FurtherKinds,
): Decode<Partial<LoadedAuthConfig>> {
  const written = mappingOf<WrittenAuth>(
    {
      id: filledText,
      http,
      authentication,
      identity: identity(notes),
      account_linking: accountLinking(notes),
      bot_protection: botProtection,
      authenticator,
      verification,
      forgot_password: forgotPassword,
      session,
      user_profile: userProfile,
      oauth: oauth(notes),
      authentication_flow: authenticationFlow(notes, further),
      ui: ui(notes),
      messaging,
      links,
      test_mode: testMode,
      hook,
    },
    {
      required: ['id', 'http'],
      ignored: ignoringSections((key) => nearestWord(key, keys) !== undefined),
    },
  )
  return (place) => {
    const { account_linking: linking, ...rest } = written(place) ?? {}
    if (linking === undefined) return rest
    const resolved = resolveLinking(linking, rest.identity ?? defaults.identity, notes)
    return { ...rest, account_linking: resolved }
  }
}
