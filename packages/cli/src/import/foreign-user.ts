import type { ImportedUser, NewAuthenticator } from '@gatehouse/core/auth'

/** A user of another system. */
export interface ForeignUser {
  readonly user: ImportedUser
  /** Authenticators that are added once the user exists. */
  readonly more?: readonly NewAuthenticator[]
  /** Parts that cannot be imported, a sentence each. */
  readonly notes?: readonly string[]
}

/** The alias of the configured provider that accounts of another system belong to; the name itself if there is none. */
export type AliasOf = (provider: string) => string
