import { type AuthContext, type AuthOptions, createAuth } from '@gatehouse/core'

/** The settings of sign-in from the environment. */
export interface SignInSettings extends Omit<AuthOptions, 'config' | 'secrets'> {
  /** The address of the app, as browsers see it. */
  readonly origin: string
  /** Seals data of users. Keep it as long as the data. */
  readonly key: string
}

/** People sign up and log in with an email address and a password. */
export function createSignIn({ origin, key, ...options }: SignInSettings): AuthContext {
  return createAuth({
    ...options,
    secrets: [{ id: 'k1', key }],
    config: {
      id: 'app',
      http: { public_origin: origin },
      identity: { login_id: { keys: [{ type: 'email' }] } },
      authentication: {
        enumeration_protection: 'strict', // no answer reveals who has an account
        primary_authenticators: ['password'],
        secondary_authentication_mode: 'if_exists',
      },
    },
  })
}
