import type { LoadedAuthConfig } from '@gatehouse/core/auth'
import { isLocal, type ListenPlace } from '../server/listen-address.ts'
import { literalSecretsWarning } from '../server/start-warnings.ts'
import type { AuthSettings } from './load-auth.ts'
import type { AuthPortSettings } from './ports.ts'
import { providerWarnings } from './providers.ts'

/** The facts about a server that warnings depend on. */
export interface AuthSurroundings {
  readonly config: LoadedAuthConfig
  readonly settings: AuthSettings
  readonly portSettings: Pick<AuthPortSettings, 'credentials'>
  readonly places: readonly ListenPlace[]
  /** Whether the server speaks TLS itself. */
  readonly isSecure: boolean
  /** Whether the file itself contains secrets. */
  readonly holdsLiteralSecrets: boolean
  readonly configFile: string
  /** The permissions of the configuration file. */
  readonly configMode: number
  /** Whether phone numbers are checked by national numbering plans. */
  readonly knowsPhones: boolean
}

/** Warnings for the person who starts the server, one sentence each. */
export function authWarnings(given: AuthSurroundings): readonly string[] {
  const { config, settings, portSettings, places, isSecure } = given
  const { http } = config
  const warnings: string[] = []
  if (settings.isDevelopment) {
    const reach = places.every(isLocal) ? '' : ', and other machines can reach it'
    const codes = settings.printCodes ? ': codes and links are logged' : ''
    warnings.push(`auth is in development mode${codes}${reach}`)
  }
  if (!isSecure && http.trust_proxy === 0 && !http.allow_insecure) {
    warnings.push(
      'auth answers every request with 403 HTTPSRequired: serve TLS, or set http.trust_proxy to the number of proxies in front that do',
    )
  }
  if (given.holdsLiteralSecrets) warnings.push(...literalSecretsWarning(given))
  return [...warnings, ...senderWarnings(given), ...providerWarnings(config, portSettings)]
}

/** Warnings about senders that the document needs and the section lacks. */
function senderWarnings({ config, settings, knowsPhones }: AuthSurroundings): readonly string[] {
  const warnings: string[] = []
  const channels = channelsOf(config)
  const isMissing = (channel: string, sender: object | undefined): boolean =>
    channels.has(channel) && sender === undefined && !settings.printCodes
  if (isMissing('email', settings.smtp)) {
    warnings.push('auth cannot send codes by email: set auth.smtp')
  }
  if (isMissing('sms', settings.sms)) warnings.push('auth cannot send SMS: set auth.sms')
  if (isMissing('whatsapp', settings.whatsapp)) {
    warnings.push('auth cannot send WhatsApp messages: set auth.whatsapp')
  }
  if (channels.has('phone') && !knowsPhones) {
    warnings.push(
      'phone numbers are checked only by their shape; npm install libphonenumber-js adds national numbering plans',
    )
  }
  return warnings
}

function channelsOf({
  identity,
  authentication,
  authenticator,
}: LoadedAuthConfig): ReadonlySet<string> {
  const types = identity.login_id.keys.map(({ type }) => type)
  const authenticators = [
    ...authentication.primary_authenticators,
    ...authentication.secondary_authenticators,
  ]
  const channels = new Set<string>()
  if (types.includes('email') || authenticators.includes('oob_otp_email')) channels.add('email')
  if (types.includes('phone') || authenticators.includes('oob_otp_sms')) {
    const { phone_otp_mode: mode } = authenticator.oob_otp.sms
    channels.add('phone')
    if (mode !== 'whatsapp') channels.add('sms')
    if (mode !== 'sms') channels.add('whatsapp')
  }
  return channels
}
