import { isStandardPointer, type UserProfile } from '../accounts/user-profile.ts'
import type { Attributes } from '../accounts/user-record.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { authError } from '../errors.ts'

/** The users' access to their own custom attributes. */
export interface ProfileAccess {
  /**
   * By the pointers of attributes, as `/x_height`: `readonly` shows it, `readwrite` also lets the user change it; the attribute
   * must be configured (default: custom attributes are hidden and only the host changes them). Users can always see and change
   * their standard attributes.
   */
  readonly customAttributes?: { readonly [pointer: string]: 'readonly' | 'readwrite' }
}

/** Longer pointers are cut in errors. */
const maxPointerLength = 200

/**
 * Refuses attributes that the user may not change.
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
      pointer: pointer.slice(0, maxPointerLength),
    })
  }
}

/** The attributes that the user may see. */
export function visibleProfile(
  { standard_attributes, custom_attributes }: UserProfile,
  { customAttributes = {} }: ProfileAccess,
): UserProfile {
  const visible = Object.entries(custom_attributes).filter(([name]) =>
    Object.hasOwn(customAttributes, `/${name}`),
  )
  return { standard_attributes, custom_attributes: Object.fromEntries(visible) as Attributes }
}
