import * as document from '../../document/fields.ts'
import type { Decode, Reading } from './place.ts'

/** How each key of a mapping is read, in the order of the documentation. */
export type Fields<T> = document.Fields<T, Reading>

/** A mapping with known keys, as in every document, whose decoders may use what this service needs. */
export const mappingOf: <T extends object>(
  fields: Fields<T>,
  options?: document.MappingOptions<keyof T & string>,
) => Decode<Partial<T>> = document.mappingOf
