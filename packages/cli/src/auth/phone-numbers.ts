import type { PhoneNumbers } from '@gatehouse/core/phone'
import { loadIfInstalled } from '../load-if-installed.ts'

/** The part of the module that is used. */
interface PhoneModule {
  readonly createPhoneNumbers: () => PhoneNumbers
}

/**
 * Checks phone numbers with the package libphonenumber-js; `undefined` if it is not installed.
 *
 * @param load imports the code.
 */
export async function loadPhoneNumbers(
  load: () => Promise<PhoneModule> = () => import('@gatehouse/core/phone'),
): Promise<PhoneNumbers | undefined> {
  return (await loadIfInstalled('libphonenumber-js', load))?.createPhoneNumbers()
}
