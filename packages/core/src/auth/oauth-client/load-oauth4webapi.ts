import type * as OAuth4WebApi from 'oauth4webapi'
import { GatehouseError } from '../../errors.ts'
import { importInstalled, withFunction } from '../../optional-package.ts'

/** The part of the package that is used. */
export type OAuthLibrary = Pick<
  typeof OAuth4WebApi,
  | 'allowInsecureRequests'
  | 'clockSkew'
  | 'clockTolerance'
  | 'customFetch'
  | 'getValidatedIdTokenClaims'
  | 'processAuthorizationCodeResponse'
  | 'validateApplicationLevelSignature'
>

/**
 * Loads the package that checks ID tokens.
 *
 * @param load imports the package.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadOAuth4WebApi(
  load: () => Promise<OAuthLibrary> = importOAuth4WebApi,
): Promise<OAuthLibrary> {
  try {
    return await load()
  } catch (cause) {
    const message =
      'OpenID Connect needs the package "oauth4webapi", which could not be loaded: npm install oauth4webapi@3'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}

/** The `import()` is in a `try` of its own function: then bundlers accept that the package may be missing. */
async function importOAuth4WebApi(): Promise<OAuthLibrary> {
  try {
    return withFunction(await import('oauth4webapi'), 'validateApplicationLevelSignature')
  } catch {
    return importInstalled('oauth4webapi')
  }
}
