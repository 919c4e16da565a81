import { mappingOf, sectionOf, wholeOf } from '../../document/fields.ts'
import { type Decode, memberOrSelf, report } from '../../document/place.ts'
import { filledText, flag, oneOf } from '../../document/values.ts'
import type { BotProtectionMode, LoadedAuthConfig } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import type { BranchBotProtection } from './flow-definition.ts'
import { ignoring } from './ignored.ts'

type BotProtection = LoadedAuthConfig['bot_protection']
type Provider = NonNullable<BotProtection['provider']>

const { bot_protection: defaults } = defaultAuthConfig('', '')

const mode: Decode<BotProtectionMode> = oneOf('never', 'always')

/** What a branch of a flow says of it. */
export const branchBotProtection: Decode<BranchBotProtection> = wholeOf<BranchBotProtection>(
  { mode },
  { required: ['mode'] },
)

const secretNotes: ReadonlyMap<string, string> = new Map(
  ['secret_key', 'secret'].map((key) => [
    key,
    'a secret is no part of the document: whoever verifies responses has it, or auth.bot_protection of gatehouse api',
  ]),
)

const writtenProvider = mappingOf<{ readonly type: string; readonly site_key: string }>(
  { type: filledText, site_key: filledText },
  { required: ['type'], notes: secretNotes },
)

const provider: Decode<Provider> = (place) => {
  const { type, site_key } = writtenProvider(place) ?? {}
  return type === undefined ? undefined : { type, site_key }
}

const requirement = sectionOf<{ readonly mode: BotProtectionMode }>({ mode: 'never' }, { mode })

const section = sectionOf<BotProtection>(
  defaults,
  {
    enabled: flag,
    provider,
    requirements: sectionOf(defaults.requirements, {
      signup_or_login: requirement,
      account_recovery: requirement,
      password: requirement,
      oob_otp_email: requirement,
      oob_otp_sms: requirement,
    }),
  },
  { ignored: ignoring('ip_allowlist') },
)

/** Where machines are kept out. Whoever shows to be none shows it to a provider. */
export const botProtection: Decode<BotProtection> = (place) => {
  const given = section(place)
  const providerPlace = memberOrSelf(place, 'provider')
  if (given.enabled && providerPlace.node === place.node) {
    report(providerPlace, 'required', 'is missing: enabled: true needs it')
  }
  return given
}
