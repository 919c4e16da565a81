import type { DocumentCode, DocumentProblem } from '../../document/problem.ts'
import { GatehouseError, isGatehouseError } from '../../errors.ts'

/** One thing that is wrong with the configuration of the authentication flow service. Quotes no value of it. */
export interface AuthConfigProblem extends DocumentProblem<DocumentCode> {
  /** The place as a JSON pointer, as `/identity/login_id/keys/0/type`; empty for the whole document. @see RFC 6901 */
  readonly pointer: string
}

/** Reads a text or values; what is wrong with them as a whole is said to be wrong with the whole document. */
export function pointingToAll<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isGatehouseError(error) || !Array.isArray(error.info.problems)) throw error
    // Decoders of documents throw problems of this type.
    const given = error.info.problems as readonly DocumentProblem[]
    const problems = given.map((problem) => ({ ...problem, pointer: '' }))
    const { kind, reason, message, info } = error
    throw new GatehouseError(kind, reason, message, { info: { ...info, problems } })
  }
}
