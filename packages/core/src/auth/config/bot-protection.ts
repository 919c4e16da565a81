import {
  built,
  checked,
  choice,
  filledText,
  flag,
  mapping,
  oneOf,
  optional,
  parsed,
  required,
  type Schema,
  withDefault,
  wrongType,
} from '../../document/schema.ts'
import type { BotProtectionMode, LoadedAuthConfig } from './config.ts'
import type { BranchBotProtection } from './flow-definition.ts'
import { ignoring } from './ignored.ts'
import { section } from './values.ts'

const mode: Schema<BotProtectionMode> = oneOf('never', 'always')

/** Bot protection of a branch of a flow. */
export const branchBotProtection: Schema<BranchBotProtection> = mapping(
  { mode: required(mode, 'Whether a response of the provider is needed.') },
  { title: 'BranchBotProtection', ignored: ignoring('provider') },
)

const secretNotes: ReadonlyMap<string, string> = new Map(
  ['secret_key', 'secret'].map((key) => [
    key,
    'a secret is no part of the document: set it in auth.bot_protection of gatehouse api, or give it to the verifier of your program',
  ]),
)

const provider = mapping(
  {
    type: required(filledText, 'As `cloudflare` or `recaptchav2`.'),
    site_key: optional(filledText, 'The public key, for pages.'),
  },
  { notes: secretNotes },
)

const requirement = mapping(
  { mode: withDefault(mode, 'never', 'Whether a response of the provider is needed.') },
  { title: 'WrittenRequirement' },
)
const neededTo = (where: string): Schema<{ readonly mode: BotProtectionMode }> =>
  withDefault(requirement, {}, `Whether it is needed ${where}.`)

/** Written without a value. */
const noProvider = parsed<null>({ type: 'null' }, (given, report) =>
  given === null ? null : report('wrong_type', wrongType(given, 'a provider')),
)

/** Which steps require a CAPTCHA of a provider. */
export const botProtection: Schema<LoadedAuthConfig['bot_protection']> = built(
  checked(
    mapping(
      {
        enabled: withDefault(flag, false, 'Whether bots are kept out.'),
        provider: optional(
          choice([provider, noProvider], (given) => (given === null ? noProvider : provider)),
          'The provider that tells people from bots. Its secret is given in code. `enabled` has no effect without it.',
        ),
        requirements: section(
          {
            signup_or_login: neededTo('to sign up and to log in'),
            account_recovery: neededTo('to recover an account'),
            password: neededTo('with a password'),
            oob_otp_email: neededTo('for codes by email'),
            oob_otp_sms: neededTo('for codes by SMS and WhatsApp'),
          },
          'Where a response of the provider is needed.',
        ),
      },
      { ignored: ignoring('ip_allowlist') },
    ),
    ({ value, isBroken, warn }) => {
      if (value.enabled !== true || value.provider || isBroken('provider')) return
      warn(['enabled'], 'has no effect: there is no provider')
    },
  ),
  ({ enabled, provider: given, ...others }) => ({
    ...others,
    enabled: enabled && given != null,
    provider: given ?? undefined,
  }),
)
