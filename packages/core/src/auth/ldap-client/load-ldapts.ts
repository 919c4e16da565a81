import type * as LdapTs from 'ldapts'
import { GatehouseError } from '../../errors.ts'
import { importInstalled, withFunction } from '../../optional-package.ts'

/** The part of the package that is used. */
export type LdapLibrary = Pick<typeof LdapTs, 'Client' | 'ResultCodeError'>

/** A connection to a directory. */
export type LdapConnection = LdapTs.Client

/**
 * Loads the package that speaks LDAP.
 *
 * @param load imports the package.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadLdapts(
  load: () => Promise<LdapLibrary> = importLdapts,
): Promise<LdapLibrary> {
  try {
    return await load()
  } catch (cause) {
    const message =
      'LDAP needs the package "ldapts", which could not be loaded: npm install ldapts@8'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}

/** The `import()` is in a `try` of its own function: then bundlers accept that the package may be missing. */
async function importLdapts(): Promise<LdapLibrary> {
  try {
    return withFunction(await import('ldapts'), 'Client')
  } catch {
    return importInstalled('ldapts')
  }
}
