import type { RecordView, ViewColumn, ViewColumnType } from '../storage/record-view.ts'
import type { Collection } from '../storage/storage.ts'
import { checkCollection } from '../storage/storage-input.ts'
import { type Decode, exactly, having, listOf, oneOf, optional, rawText } from './decode.ts'
import { refuse, refuseShown } from './refusal.ts'

/** A collection, which core checks further. */
export const collectionInput: Decode<Collection> = (value) => {
  const expected = 'a collection made by defineCollection()'
  const given = having<Collection>(expected)(value)
  if (typeof given.name !== 'string') return refuse(expected, value)
  try {
    checkCollection(given)
  } catch {
    return refuse(expected, value)
  }
  return given
}

/** Names become part of the SQL. */
const name: Decode<string> = (value) =>
  /^[a-z][a-z0-9_]{0,39}$/.test(rawText(value))
    ? rawText(value)
    : refuseShown(
        'at most 40 lower case letters, digits and underscores, starting with a letter',
        value,
      )

const path = listOf(name)

const otherwise = exactly<NonNullable<ViewColumn['otherwise']>>({
  collection: collectionInput,
  by: name,
  path,
})

const column = exactly<ViewColumn>({
  name,
  path,
  type: oneOf<ViewColumnType>(['text', 'flag', 'instant', 'json']),
  otherwise: optional(otherwise),
})

/** A view of a store's tables. */
export const recordViewInput: Decode<RecordView> = exactly<RecordView>({
  name,
  collection: collectionInput,
  columns: listOf(column),
})
