import type { Json, JsonObject } from '../../storage/storage.ts'

/** The text of a member; `undefined` if it is not a text. */
export function textOf(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}

/** Whether arrays and objects are nested more than this many levels deep. */
export const isDeeperThan = (levels: number, value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member)))
