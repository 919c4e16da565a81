import type { Json } from '../../storage/storage.ts'
import { type LoginIdRules, type LoginIdType, readLoginId } from './login-id.ts'

type Name = 'email' | 'phone_number' | 'preferred_username'

const typeOfClaim: Readonly<Record<Name, LoginIdType>> = {
  email: 'email',
  phone_number: 'phone',
  preferred_username: 'username',
}

/** The addresses and names that another service asserts, checked and normalised like those that users type; invalid ones are left out. */
export function readClaims(
  said: { readonly [name: string]: Json },
  rules: LoginIdRules,
): { readonly [claim in Name]?: string } {
  const claims: { [claim in Name]?: string } = {}
  for (const name of ['email', 'phone_number', 'preferred_username'] as const) {
    const value = said[name]
    if (typeof value !== 'string') continue
    const read = readLoginId(typeOfClaim[name], value, rules, 'look-up')
    if ('loginId' in read) claims[name] = read.loginId.normalized
  }
  return claims
}
