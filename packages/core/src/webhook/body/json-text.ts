import { findJsonValue } from '@gatehouse/go-template/json'
import { isGatehouseError } from '../../errors.ts'
import type { Json } from '../../storage/storage.ts'
import { webhookError } from '../errors.ts'
import { compactJson } from './compact-json.ts'
import { isNestedDeeperThan, placeOfItem, placeOfMember, skipBlanks } from './json-places.ts'

/** A JSON value with its text, which keeps all digits and the order of members. */
export interface JsonText {
  readonly text: string
  readonly value: Json
}

/** The problem of a text that is not JSON. The engine's own message would quote the text. */
function syntaxProblem(text: string): string {
  try {
    findJsonValue(text)
    return 'unexpected text after its end'
  } catch (error) {
    if (isGatehouseError(error)) return error.message
    throw error
  }
}

/**
 * Parses a JSON text. Counts the brackets first, because parsing deep nesting takes much memory.
 *
 * @throws {GatehouseError} `invalid_json` if it is empty, not JSON, or nested more than `maxDepth` deep.
 * @param what the name of the text in messages.
 * @see RFC 8259
 */
export function parseJsonText(text: string, maxDepth: number, what = 'the body'): JsonText {
  if (skipBlanks(text, 0) === text.length) throw webhookError('invalid_json', `${what} is empty`)
  if (isNestedDeeperThan(text, maxDepth)) {
    throw webhookError('invalid_json', `${what} is nested more than ${maxDepth} deep`)
  }
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw webhookError('invalid_json', `${what} is not JSON: ${syntaxProblem(text)}`)
  }
}

/** Serializes a value of the program. Later changes of the value have no effect. */
export function jsonTextOf(value: Json): JsonText {
  const text = JSON.stringify(value)
  return { text, value: JSON.parse(text) }
}

/** An own member of an object, or an array item. */
export function ownMember(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  if (!Array.isArray(value)) return Reflect.get(value, name)
  return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined
}

/**
 * The value at a path of own members and indexes, as compact JSON: no white space, members in their order, the last of a repeated
 * member, numbers with their original characters. `undefined` if it does not exist.
 */
export function memberText(json: JsonText, path: readonly string[]): JsonText | undefined {
  let value = json.value
  let start = skipBlanks(json.text, 0)
  for (const step of path) {
    const member = ownMember(value, step)
    if (member === undefined) return undefined
    start = Array.isArray(value)
      ? placeOfItem(json.text, start, Number(step))
      : placeOfMember(json.text, start, step)
    if (start < 0) return undefined
    value = member
  }
  return { text: compactJson(json.text, start), value }
}
