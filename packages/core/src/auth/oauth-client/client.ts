import { missingCredentials } from './oauth-errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'

/** The credentials of a client at a provider. */
export type OAuthCredentials =
  | {
      /** As issued by the provider. For `apple` it may also be a secret that was signed in advance. */
      readonly clientSecret: string
    }
  | {
      /** For `apple`: the key named by `key_id`, as PEM (`-----BEGIN PRIVATE KEY-----`). It signs a secret for each request. */
      readonly privateKey: string
    }

/** Demo credentials of a type of provider, with the settings that belong to them. */
export type OAuthDemoCredentials = OAuthCredentials & {
  readonly clientId: string
  /** For `apple`. */
  readonly teamId?: string
  /** For `apple`. */
  readonly keyId?: string
}

/** Credentials by the alias of a provider, and demo credentials by its type. */
export interface CredentialSets {
  readonly credentials: ReadonlyMap<string, OAuthCredentials>
  readonly demoCredentials: ReadonlyMap<OAuthProviderType, OAuthDemoCredentials>
}

/** This application as a client of a provider. */
export interface Client {
  readonly id: string
  readonly credentials: OAuthCredentials
  readonly teamId: string | undefined
  readonly keyId: string | undefined
  readonly isDemo: boolean
}

/** The client for a provider; `undefined` without credentials. */
export function findClient(
  { alias, type, client_id: id, team_id, key_id, credentials_behavior }: OAuthProviderConfig,
  { credentials, demoCredentials }: CredentialSets,
): Client | undefined {
  if (credentials_behavior === 'use_demo_credentials') {
    const demo = demoCredentials.get(type)
    if (demo === undefined) return undefined
    const { clientId, teamId, keyId } = demo
    return { id: clientId, credentials: demo, teamId, keyId, isDemo: true }
  }
  const own = credentials.get(alias)
  if (own === undefined || id === undefined || id === '') return undefined
  return { id, credentials: own, teamId: team_id, keyId: key_id, isDemo: false }
}

/** The client for a provider. @throws {GatehouseError} `OAuthProviderMissingCredentials` */
export function requireClient(provider: OAuthProviderConfig, sets: CredentialSets): Client {
  const client = findClient(provider, sets)
  if (client === undefined) throw missingCredentials(provider)
  return client
}
