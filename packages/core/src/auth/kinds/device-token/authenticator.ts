import type { Authenticator } from '../../flow/authenticator.ts'

/**
 * A device that was trusted before. It is never chosen: a cookie alone passes a step that lists it, and the step may issue a new
 * cookie.
 */
export const deviceTokenAuthenticator: Authenticator = {
  authentication: 'device_token',
  kind: 'pseudo',
  amr: ['x_device_token'],
  *offer() {
    return []
  },
  schema: () => ({}),
  *authenticate() {
    throw new TypeError('a device token cannot be chosen')
  },
}
