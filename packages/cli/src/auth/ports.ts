import type { AuthOptions, LoadedAuthConfig } from '@gatehouse/core/auth'
import { createOAuthClient, type OAuthCredentials } from '@gatehouse/core/oauth'
import type { Passkeys } from '@gatehouse/core/passkeys'
import { createBotVerifier } from './bot-protection.ts'

/** What goes with a document, and comes into force with it. */
export interface AuthPortSettings {
  /** By the alias of an identity provider. */
  readonly credentials: Readonly<Record<string, OAuthCredentials>>
  /** Whether identity providers may be on this machine, in its network and behind plain HTTP. */
  readonly allowPrivateAddresses: boolean
  /** How long an answer of one may take. */
  readonly oauthTimeoutMs: number
  readonly botSecretKey: string | undefined
}

type OAuth = NonNullable<AuthOptions['oauth']>
type BotVerifier = NonNullable<AuthOptions['botVerifier']>

/** Whom a service asks, as its document wants it. */
export interface AuthPorts {
  readonly oauth: OAuth
  /** `undefined` where the document has none. */
  readonly passkeys: Passkeys | undefined
  readonly botVerifier: BotVerifier | undefined
}

/** Whom a service asks that has this document. */
export function createAuthPorts(
  { bot_protection: { provider } }: LoadedAuthConfig,
  settings: AuthPortSettings,
  passkeys: Passkeys | undefined,
): AuthPorts {
  const { credentials, allowPrivateAddresses, oauthTimeoutMs: timeoutMs, botSecretKey } = settings
  return {
    oauth: createOAuthClient({ credentials, allowPrivateAddresses, timeoutMs }),
    passkeys,
    botVerifier: createBotVerifier(provider?.type, botSecretKey),
  }
}

/** Ports of a service that outlive its document. */
export interface LastingPorts {
  /** Hand on to whom there is at the time. */
  readonly ports: { readonly [Name in keyof AuthPorts]: NonNullable<AuthPorts[Name]> }
  /** Puts others in their place. */
  replace(next: AuthPorts): void
}

/** Ports for a service whose document may be replaced, and with it whom the service asks. */
export function createLastingPorts(first: AuthPorts): LastingPorts {
  let current = first
  const passkeys = (): Passkeys => there(current.passkeys, 'passkeys')
  const botVerifier = (): BotVerifier => there(current.botVerifier, 'bot_protection')
  return {
    replace(next) {
      // Flows that have begun go on with the steps they have.
      current = { ...next, passkeys: next.passkeys ?? current.passkeys }
    },
    ports: {
      oauth: {
        status: (provider) => current.oauth.status(provider),
        authorizationUrl: (...given) => current.oauth.authorizationUrl(...given),
        redeem: (...given) => current.oauth.redeem(...given),
      },
      passkeys: {
        creationOptions: (...given) => passkeys().creationOptions(...given),
        requestOptions: (...given) => passkeys().requestOptions(...given),
        verifyCreation: (...given) => passkeys().verifyCreation(...given),
        verifyAssertion: (...given) => passkeys().verifyAssertion(...given),
      },
      botVerifier: { verify: (given) => botVerifier().verify(given) },
    },
  }
}

/** Documents that ask for what there is not are refused, so that this does not come up. */
function there<T>(port: T | undefined, name: string): T {
  if (port === undefined) throw new TypeError(`the configuration has no ${name}`)
  return port
}
