import type { LoadedAuthConfig, ProvidedPorts } from '@gatehouse/core/auth'
import { isLocal, type ListenPlace } from '../server/listen-address.ts'
import { literalSecretsWarning } from '../server/start-warnings.ts'
import type { AuthSettings, LoadedAuth } from './load-auth.ts'
import type { AuthPortSettings } from './ports.ts'
import { providerWarnings } from './providers.ts'

/** The facts about a server that warnings depend on. */
export interface AuthSurroundings {
  readonly config: LoadedAuthConfig
  readonly settings: AuthSettings
  readonly portSettings: Pick<AuthPortSettings, 'credentials'>
  readonly oidcWarnings: LoadedAuth['oidcWarnings']
  readonly places: readonly ListenPlace[]
  readonly trustedProxies: readonly string[]
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

/** Warnings for the person who starts the server, one sentence each, besides those that the service logs itself. */
export function authWarnings(given: AuthSurroundings): readonly string[] {
  const { config, settings, portSettings, places, isSecure, trustedProxies } = given
  const { http } = config
  const warnings: string[] = []
  if (settings.isDevelopment) {
    const reach = places.every(isLocal) ? '' : ', and other machines can reach it'
    const codes = settings.printCodes ? ': codes and links are logged' : ''
    warnings.push(`auth is in development mode${codes}${reach}`)
  }
  // An origin with http: has a warning of its own.
  const expectsTls = http.public_origin.startsWith('https:') && !http.allow_insecure
  if (!isSecure && trustedProxies.length === 0 && expectsTls) {
    warnings.push(
      'auth answers every request with 403 HTTPSRequired: serve TLS, or name the proxies in front that do in trusted_proxies, or set http.allow_insecure',
    )
  }
  if (given.holdsLiteralSecrets) warnings.push(...literalSecretsWarning(given))
  return [...warnings, ...providerWarnings(config, portSettings), ...oidcTexts(given.oidcWarnings)]
}

/** Warnings about apps, each with its key in the file. */
export const oidcTexts = (warnings: LoadedAuth['oidcWarnings']): readonly string[] =>
  warnings.map(({ path, message }) => `${path}: ${message}`)

/** The senders that the section configures. The service warns about missing ones itself. */
export function providedPorts({
  settings: { smtp, sms, whatsapp, printCodes },
  knowsPhones,
}: Pick<AuthSurroundings, 'settings' | 'knowsPhones'>): ProvidedPorts {
  const senderOf = (given: object | undefined): unknown => given ?? (printCodes || undefined)
  const senders = {
    sendEmail: senderOf(smtp),
    sendSms: senderOf(sms),
    sendWhatsapp: senderOf(whatsapp),
  }
  return { senders, knowsPhones }
}
