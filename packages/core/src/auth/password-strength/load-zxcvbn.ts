import type Zxcvbn from 'zxcvbn'
import { GatehouseError } from '../../errors.ts'

/** What of the package is used. */
export type RatePassword = (password: string) => Pick<ReturnType<typeof Zxcvbn>, 'score'>

/**
 * Loads the package that rates passwords: nearly a megabyte, most of it words.
 *
 * @param load imports it.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadZxcvbn(
  load: () => Promise<{ readonly default: RatePassword }> = () => import('zxcvbn'),
): Promise<RatePassword> {
  try {
    return (await load()).default
  } catch (cause) {
    const message =
      'the strength of passwords needs the package "zxcvbn", which could not be loaded: npm install zxcvbn@4.4.2'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}
