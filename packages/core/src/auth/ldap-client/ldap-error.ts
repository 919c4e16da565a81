import type { GatehouseError } from '../../errors.ts'
import { authError } from '../errors.ts'

/** A directory failed. `problem` ends a sentence that begins with the directory. */
export const ldapError = (name: string, problem: string): GatehouseError =>
  authError('BadRequest', 'LDAPError', `the directory "${name}" ${problem}`, { server_name: name })
