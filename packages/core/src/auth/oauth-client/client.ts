import { missingCredentials } from './oauth-errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'

/** What shows a provider who its client is. */
export type OAuthCredentials =
  | {
      /** As the provider gave it. For `apple` also one that was signed beforehand. */
      readonly clientSecret: string
    }
  | {
      /** Of `apple`: the key named by `key_id`, as PEM (`-----BEGIN PRIVATE KEY-----`). A secret is signed with it for each request. */
      readonly privateKey: string
    }

/** Credentials for trying a sort of provider, with what else belongs to them. */
export type OAuthDemoCredentials = OAuthCredentials & {
  readonly clientId: string
  /** Of `apple`. */
  readonly teamId?: string
  /** Of `apple`. */
  readonly keyId?: string
}

/** Credentials by the alias of a provider, and such for trying by its type. */
export interface CredentialSets {
  readonly credentials: ReadonlyMap<string, OAuthCredentials>
  readonly demoCredentials: ReadonlyMap<OAuthProviderType, OAuthDemoCredentials>
}

/** Who asks a provider: this application, as the provider knows it. */
export interface Client {
  readonly id: string
  readonly credentials: OAuthCredentials
  readonly teamId: string | undefined
  readonly keyId: string | undefined
  readonly isDemo: boolean
}

/** The client that a provider is asked by; `undefined` if it has no credentials. */
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

/** The client that a provider is asked by. @throws {GatehouseError} `OAuthProviderMissingCredentials` */
export function requireClient(provider: OAuthProviderConfig, sets: CredentialSets): Client {
  const client = findClient(provider, sets)
  if (client === undefined) throw missingCredentials(provider)
  return client
}
