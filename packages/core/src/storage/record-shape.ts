import { GatehouseError } from '../errors.ts'
import {
  type Collection,
  isJsonObject,
  type Json,
  type JsonObject,
  type StoredRecord,
} from './storage.ts'

/**
 * The property with the shape of a stored value. A value without it has shape 1, so collections that never changed their shape
 * need no extra bytes.
 */
const marker = '$shape'

/** The shape of a stored value; `undefined` if its marker is not a whole number of at least 1. */
export function shapeOf(value: Json): number | undefined {
  // The type of an array has no such property, and neither does an array.
  const shape = (value as JsonObject | null)?.[marker]
  if (shape === undefined) return 1
  return typeof shape === 'number' && Number.isInteger(shape) && shape >= 1 ? shape : undefined
}

/**
 * Adds the marker of a shape to a value.
 *
 * @throws {TypeError} if the shape needs a marker and the value is not an object.
 */
export function withShape(value: Json, shape: number): Json {
  if (shape === 1) return value
  if (isJsonObject(value)) return { [marker]: shape, ...value }
  throw new TypeError(`a value of shape ${shape} must be an object`)
}

/** Removes the marker from a value. */
export function withoutShape(value: Json): Json {
  if (!isJsonObject(value)) return value
  const { [marker]: _, ...rest } = value
  return rest
}

/** A record, or a whole collection, was written by a newer version of Gatehouse. */
export const newerShape = (
  { name }: Pick<Collection, 'name'>,
  { id, found, known }: { id?: string; found: number; known: number },
): GatehouseError =>
  new GatehouseError(
    'ServiceUnavailable',
    'StorageNewerVersion',
    `${id === undefined ? 'the collection' : `the record ${JSON.stringify(id)} of`} ${name} has the shape ${found}, this program knows shapes up to ${known}: use the version of Gatehouse that wrote it or a newer one, or restore an earlier backup`,
    { info: { collection: name, ...(id === undefined ? {} : { id }), found, known } },
  )

/** A record is unreadable, and must not be treated as absent. */
export const unreadableRecord = (
  { name }: Pick<Collection, 'name'>,
  { id }: Pick<StoredRecord, 'id'>,
  problem: string,
): GatehouseError =>
  new GatehouseError(
    'ServiceUnavailable',
    'StorageUnreadableRecord',
    `the record ${JSON.stringify(id)} of ${name} cannot be read (${problem}): "gatehouse storage check-records" lists and removes such records`,
    { info: { collection: name, id, problem } },
  )
