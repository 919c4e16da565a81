import type { PhoneNumbers } from '@gatehouse/core/phone'

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
  try {
    return (await load()).createPhoneNumbers()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('libphonenumber-js')
}
