import type { AuthOptions, LoadedAuthConfig } from '@gatehouse/core/auth'
import { createExternalJwtVerifier, type ExternalJwtVerifier } from '@gatehouse/core/external-jwt'
import { createLdapClient, type LdapClient, type LdapClientOptions } from '@gatehouse/core/ldap'
import { createOAuthClient, type OAuthCredentials } from '@gatehouse/core/oauth'
import type { Passkeys } from '@gatehouse/core/passkeys'
import { createBotVerifier } from './bot-protection.ts'

/** Settings that take effect together with a document. */
export interface AuthPortSettings {
  /** By the alias of an identity provider. */
  readonly credentials: Readonly<Record<string, OAuthCredentials>>
  /** Whether identity providers may be on this machine, in its network and behind plain HTTP. */
  readonly allowPrivateAddresses: boolean
  /** The timeout of a provider's response. */
  readonly oauthTimeoutMs: number
  readonly botSecretKey: string | undefined
  /** The searching accounts and the certificate authorities of directories. */
  readonly ldap: LdapClientOptions
}

type OAuth = NonNullable<AuthOptions['oauth']>
type BotVerifier = NonNullable<AuthOptions['botVerifier']>

/** The external ports of a service, as its document needs them. */
export interface AuthPorts {
  readonly oauth: OAuth
  readonly externalJwt: ExternalJwtVerifier
  readonly ldap: LdapClient
  /** `undefined` if the document does not use passkeys. */
  readonly passkeys: Passkeys | undefined
  readonly botVerifier: BotVerifier | undefined
}

/** Creates the ports for a document. */
export function createAuthPorts(
  { bot_protection: { provider } }: LoadedAuthConfig,
  settings: AuthPortSettings,
  passkeys: Passkeys | undefined,
): AuthPorts {
  const { credentials, allowPrivateAddresses, oauthTimeoutMs: timeoutMs, botSecretKey } = settings
  return {
    oauth: createOAuthClient({ credentials, allowPrivateAddresses, timeoutMs }),
    externalJwt: createExternalJwtVerifier({ allowPrivateAddresses, timeoutMs }),
    ldap: createLdapClient(settings.ldap),
    passkeys,
    botVerifier: createBotVerifier(provider?.type, botSecretKey),
  }
}

/** Ports of a service that outlive its document. */
export interface LastingPorts {
  /** Delegate to the current ports. */
  readonly ports: { readonly [Name in keyof AuthPorts]: NonNullable<AuthPorts[Name]> }
  /** Replaces the current ports. */
  replace(next: AuthPorts): void
}

/** Ports for a service whose document, and so its ports, may be replaced. */
export function createLastingPorts(first: AuthPorts): LastingPorts {
  let current = first
  const passkeys = (): Passkeys => there(current.passkeys, 'passkeys')
  const botVerifier = (): BotVerifier => there(current.botVerifier, 'bot_protection')
  return {
    replace(next) {
      // Flows in progress keep their steps, which may need passkeys.
      current = { ...next, passkeys: next.passkeys ?? current.passkeys }
    },
    ports: {
      oauth: {
        status: (provider) => current.oauth.status(provider),
        authorizationUrl: (...given) => current.oauth.authorizationUrl(...given),
        redeem: (...given) => current.oauth.redeem(...given),
      },
      externalJwt: { verify: (...given) => current.externalJwt.verify(...given) },
      ldap: { authenticate: (...given) => current.ldap.authenticate(...given) },
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

/** A document that needs a missing port is refused, so this cannot happen. */
function there<T>(port: T | undefined, name: string): T {
  if (port === undefined) throw new TypeError(`the configuration has no ${name}`)
  return port
}
