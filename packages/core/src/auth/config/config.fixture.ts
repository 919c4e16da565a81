import { isGatehouseError } from '../../errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from '../oauth-client/oauth-provider.ts'
import type { LoadedAuthConfig } from './config.ts'
import { oauthProvider, type WrittenProvider } from './oauth-providers.ts'
import {
  type AuthConfigProblem,
  type AuthConfigSource,
  type ReadAuthConfigOptions,
  readAuthConfig,
} from './read-auth-config.ts'
import type { AuthConfig } from './written/auth-config.generated.ts'

/** The least document that is sound, with more sections. Tests give also what is none. */
export function documentWith(sections: object): AuthConfig {
  return { id: 'test', http: { public_origin: 'https://auth.example.com' }, ...sections }
}

/** The configuration of the least document with more sections. */
export function configWith(
  sections: object = {},
  options?: ReadAuthConfigOptions,
): LoadedAuthConfig {
  return readAuthConfig(documentWith(sections), options)
}

/** The problems of a document; none if it is valid. */
export function problemsIn(source: string | object): readonly AuthConfigProblem[] {
  try {
    readAuthConfig(source as AuthConfigSource)
    return []
  } catch (error) {
    if (!isGatehouseError(error) || !Array.isArray(error.info.problems)) throw error
    return error.info.problems
  }
}

/** The problems of sections, as `path code`. */
export function codesIn(sections: object): readonly string[] {
  return problemsIn(documentWith(sections)).map(({ path, code }) => `${path} ${code}`)
}

/** The problems of sections, as `path: message`. */
export function messagesIn(sections: object): readonly string[] {
  return problemsIn(documentWith(sections)).map(({ path, message }) => `${path}: ${message}`)
}

/** A provider of which the document gives only the type and the alias. */
export function providerOf(type: OAuthProviderType, alias: string): OAuthProviderConfig {
  const written: Pick<WrittenProvider, 'type' | 'alias' | 'claims' | 'credentials_behavior'> = {
    type,
    alias,
    claims: { email: { assume_verified: undefined, required: undefined } },
    credentials_behavior: 'use_project_credentials',
  }
  // The other keys are absent.
  return oauthProvider(written as WrittenProvider)
}
