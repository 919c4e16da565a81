import { isGatehouseError } from '../errors.ts'
import { decodeJson } from '../go-json.ts'
import { requiredInBody, unparsableBody } from './decode-failure.ts'
import { type GoFailures, goFailure } from './go-struct.ts'

/**
 * Reads a JSON body. What goes wrong in it has the message of Go's decoder.
 *
 * @throws {GatehouseError} `UnparsableBody`; `InvalidSchema` if there is no body.
 */
export function decodeBody<T>(
  what: 'alerts' | 'silence',
  text: string | undefined,
  read: (value: unknown) => T,
): T {
  try {
    const value = decodeJson(text ?? '')
    if (value !== undefined) return read(value)
  } catch (error) {
    if (isGatehouseError(error)) throw unparsableBody(what, error.message)
    throw error
  }
  throw requiredInBody(what)
}

/** Runs a reading to its end, then throws the first failure it kept. */
export function readAll<T>(read: (failures: GoFailures) => T): T {
  const failures: GoFailures = { first: undefined }
  const value = read(failures)
  if (failures.first !== undefined) throw goFailure(failures.first)
  return value
}
