import type Zxcvbn from 'zxcvbn'
import { GatehouseError } from '../../errors.ts'
import { importInstalled, withFunction } from '../../optional-package.ts'

/** The part of the package that is used. */
export type RatePassword = (password: string) => Pick<ReturnType<typeof Zxcvbn>, 'score'>

interface ZxcvbnModule {
  readonly default: RatePassword
}

/**
 * Loads the package that rates passwords: nearly a megabyte, most of it words.
 *
 * @param load imports the package.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadZxcvbn(
  load: () => Promise<ZxcvbnModule> = importZxcvbn,
): Promise<RatePassword> {
  try {
    return (await load()).default
  } catch (cause) {
    const message =
      'rating passwords needs the package "zxcvbn", which could not be loaded: npm install zxcvbn@4.4.2'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}

/** The `import()` is in a `try` of its own function: then bundlers accept that the package may be missing. */
async function importZxcvbn(): Promise<ZxcvbnModule> {
  try {
    return withFunction(await import('zxcvbn'), 'default')
  } catch {
    return importInstalled('zxcvbn')
  }
}
