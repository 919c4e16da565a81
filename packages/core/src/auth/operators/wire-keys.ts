import { GatehouseError, isGatehouseError } from '../../errors.ts'
import { type Decode, decodeInput, isPlainObject, listOf } from '../../input/decode.ts'
import { invalidInput, Refusal, refusalBelow } from '../../input/refusal.ts'
import type { Json } from '../../storage/storage.ts'
import { claimNames, wireKey } from '../api/wire-key.ts'
import type { ValidationCause } from '../errors.ts'

/** Members whose values are documents with keys of their own. */
const documents: ReadonlySet<string> = new Set([
  'standard_attributes',
  'custom_attributes',
  'claims',
  'profile',
  'payload',
  'data',
  'info',
])

/** A value with the keys that our own API has: camelCase. */
export function toWire(value: Json): Json {
  if (Array.isArray(value)) return value.map(toWire)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Json }).map(([name, member]) => [
      wireKey(name),
      documents.has(name) ? member : toWire(member),
    ]),
  )
}

/**
 * A value of a request with the keys of this service.
 *
 * @throws {GatehouseError} `InvalidInput` if a key is not in camelCase.
 */
export const fromWire = (value: Json): Json => decodeInput('', renamed, value)

const renamed: Decode<Json> = (value) => {
  if (Array.isArray(value)) return listOf(renamed)(value)
  if (!isPlainObject(value)) return value as Json
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      try {
        const name = serviceKey(key)
        return [name, documents.has(name) ? (member as Json) : renamed(member)]
      } catch (error) {
        throw refusalBelow(error, key)
      }
    }),
  )
}

/** The key of this service for one on the wire. @throws {Refusal} if it is not in camelCase. */
function serviceKey(key: string): string {
  const right = wireKey(key)
  if (right === key) return claimNames.has(key) ? key : snakeCase(key)
  const isName = /^[a-z][A-Za-z\d]{0,63}$/.test(right)
  throw new Refusal(isName ? `"${right}"` : 'a key in camelCase', 'an unknown key')
}

const snakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function withWireLocations(error: GatehouseError): GatehouseError {
  const { kind, reason, message, info } = error
  const { causes } = info
  if (!Array.isArray(causes)) return error
  const named = causes.map(({ location, ...cause }: ValidationCause) => ({
    location: wireLocation(location),
    ...cause,
  }))
  return new GatehouseError(kind, reason, message, {
    cause: error,
    info: { ...info, causes: named },
  })
}

/** The place of a member, down to the first document. */
function wireLocation(location: string): string {
  let isInDocument = false
  const steps = location.split('/').map((step) => {
    const key = isInDocument ? step : wireKey(step)
    isInDocument ||= documents.has(step)
    return key
  })
  return steps.join('/')
}

/** A refusal of an operation that names the keys of the request. */
export function withWireKeys(error: unknown, argument: string): unknown {
  if (!isGatehouseError(error)) return error
  if (error.reason === 'ValidationFailed') return withWireLocations(error)
  if (error.reason !== 'InvalidInput') return error
  const { path, expected, given } = error.info
  if (typeof path !== 'string' || !path.startsWith(argument)) return error
  const place = path.slice(argument.length).replace(/^\./, '').replace(/\w+/g, wireKey)
  return invalidInput(place || 'body', String(expected), String(given))
}
