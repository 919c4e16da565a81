import type { PhoneNumbers } from '@gatehouse/core/phone'
import { loadIfInstalled } from '../load-if-installed.ts'

/** What the module is asked for. */
interface PhoneModule {
  readonly createPhoneNumbers: () => PhoneNumbers
}

/**
 * What the package libphonenumber-js knows of phone numbers; `undefined` where it is not installed.
 *
 * @param load imports what uses it.
 */
export async function loadPhoneNumbers(
  load: () => Promise<PhoneModule> = () => import('@gatehouse/core/phone'),
): Promise<PhoneNumbers | undefined> {
  return (await loadIfInstalled('libphonenumber-js', load))?.createPhoneNumbers()
}
