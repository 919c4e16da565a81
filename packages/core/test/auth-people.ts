import { importUsers } from '@gatehouse/core/auth'
import { totpCode } from '../src/auth/kinds/totp/totp.ts'
import { password } from '../src/auth/linking/linking-house.fixture.ts'
import type { ImportedUser } from '../src/auth/people/imported-user.ts'
import { decodeBase32 } from '../src/auth/secrets/base32.ts'
import type { TestAuth } from '../src/auth/service.fixture.ts'

/** The secret of an authenticator app (TOTP). */
export const totpSecret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
/** Finds all records of a collection. */
export const all = { by: 'id', limit: 10_000 } as const

/** The current TOTP code. */
export const totpNow = ({ clock }: TestAuth, secret: string = totpSecret): string =>
  totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))

/** Creates a user with a password. Returns the id. */
export async function makePerson(
  { auth }: TestAuth,
  about: ImportedUser,
  text: string = password,
): Promise<string> {
  const hash = await auth.hasher.hash(text)
  const person = { ...about, password: { type: 'scrypt', password_hash: hash } } as const
  const [made] = await importUsers(auth, [person])
  if (made?.outcome !== 'inserted')
    throw new Error(`could not create the user: ${JSON.stringify(made)}`)
  return made.user_id
}
