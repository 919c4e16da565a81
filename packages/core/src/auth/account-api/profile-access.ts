import type { Attributes } from '../accounts/records.ts'
import { isStandardPointer, type UserProfile } from '../accounts/user-profile.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { authError } from '../errors.ts'

/** What users may do with custom attributes of their own. */
export interface ProfileAccess {
  /**
   * By the pointers of attributes, as `/x_height`: `readonly` to see it, `readwrite` to change it too, which takes that it is configured
   * (default: custom attributes are the host's, and hidden). Standard attributes are the user's own.
   */
  readonly customAttributes?: { readonly [pointer: string]: 'readonly' | 'readwrite' }
}

/** How much of a client's text is told back to it. */
const longestPointer = 200

/**
 * Refuses what users may not change of their profile.
 *
 * @throws {GatehouseError} `AccessControlViolated`
 */
export function checkWritable(
  pointers: readonly string[],
  { user_profile }: Pick<LoadedAuthConfig, 'user_profile'>,
  { customAttributes = {} }: ProfileAccess,
): void {
  const configured = user_profile.custom_attributes.attributes.map(({ pointer }) => pointer)
  for (const pointer of pointers) {
    const isOpen = configured.includes(pointer) && customAttributes[pointer] === 'readwrite'
    if (isOpen || isStandardPointer(pointer)) continue
    throw authError('Forbidden', 'AccessControlViolated', 'the attribute cannot be changed', {
      pointer: pointer.slice(0, longestPointer),
    })
  }
}

/** What users may see of their profile. */
export function visibleProfile(
  { standard_attributes, custom_attributes }: UserProfile,
  { customAttributes = {} }: ProfileAccess,
): UserProfile {
  const visible = Object.entries(custom_attributes).filter(([name]) =>
    Object.hasOwn(customAttributes, `/${name}`),
  )
  return { standard_attributes, custom_attributes: Object.fromEntries(visible) as Attributes }
}
