import type { Authenticator } from '../../flow/authenticator.ts'

/**
 * A device that was trusted before. Never chosen: a step that lists it is passed by the cookie alone, and may give one
 * out.
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
    throw new TypeError('a device token is never chosen')
  },
}
