import { decodeJson, type JsonItemsLimits, jsonItems } from '@gatehouse/go-template/json'
import { isGatehouseError } from '../../errors.ts'
import { type BodyName, requiredInBody, unparsableBody } from './decode-failure.ts'

/**
 * Decodes a JSON body. Errors have the messages of Go's decoder.
 *
 * @throws {GatehouseError} `UnparsableBody`; `InvalidSchema` if there is no body.
 */
export function decodeBody<T>(
  what: BodyName,
  text: string | undefined,
  read: (value: unknown) => T,
): T {
  try {
    const value = decodeJson(text ?? '')
    if (value !== undefined) return read(value)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw unparsableBody(what, error.message)
  }
  throw requiredInBody(what)
}

/** {@link decodeBody} for a list that may be long, in slices. */
export function* decodeListBody<T>(
  what: BodyName,
  text: string | undefined,
  limits: JsonItemsLimits,
  read: (value: unknown) => Generator<void, T>,
): Generator<void, T> {
  try {
    const value = yield* jsonItems(text ?? '', limits)
    if (value !== undefined) return yield* read(value)
  } catch (error) {
    if (isGatehouseError(error) && error.kind === 'BadRequest') {
      throw unparsableBody(what, error.message)
    }
    throw error
  }
  throw requiredInBody(what)
}
