import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { defineCollection, type TypedCollection, type TypedRecord } from '../storage/collection.ts'
import { number, objectOf, text } from '../storage/record-check.ts'
import type { Json } from '../storage/storage.ts'

/** A block of many history records. They have much text in common, so together they take about a tenth of the bytes. */
export interface StoredBlock {
  /** The id of its oldest record. */
  readonly from: string
  readonly count: number
  /** The bytes of all earlier blocks of its history, since the first one. */
  readonly offset: number
  /** `[id, value]` of each record, the oldest first: as JSON, deflated, in Base64. */
  readonly packed: string
}

/** Blocks by {@link blockId}. They expire when their last record would. */
export const blockCollection: TypedCollection<StoredBlock> = defineCollection<StoredBlock>({
  name: 'history_blocks',
  unreadable: 'skip',
  check: objectOf<StoredBlock>({ from: text, count: number, offset: number, packed: text }),
})

/** The progress of packing a history. */
export interface PackedSoFar {
  /** The id of the last record in a block. */
  readonly to: string
  /** The bytes of all blocks ever created. */
  readonly bytes: number
}

/** By the name of the records' collection. Every packing process writes it, so only one succeeds at a time. */
export const packedCollection: TypedCollection<PackedSoFar> = defineCollection<PackedSoFar>({
  name: 'history_packed',
  unreadable: 'skip',
  check: objectOf<PackedSoFar>({ to: text, bytes: number }),
})

/** The id of the block that ends with this record. */
export const blockId = (history: string, lastRecord: string): string => `${history}/${lastRecord}`

/** The range of all block ids of a history, for a query by id: `0` follows `/`. */
export const blocksOf = (history: string): { readonly from: string; readonly to: string } => ({
  from: `${history}/`,
  to: `${history}0`,
})

/** Packs one or more records, the oldest first. */
export function packRecords<T>(
  collection: TypedCollection<T>,
  records: readonly TypedRecord<T>[],
): Pick<StoredBlock, 'packed'> {
  const rows = records.map(({ id, value }) => {
    const write = collection.write(id, value)
    return [id, 'value' in write ? write.value : undefined]
  })
  return { packed: deflateRawSync(JSON.stringify(rows)).toString('base64') }
}

/**
 * The records of a block, the oldest first. Records that cannot be decoded are left out.
 *
 * @throws {Error} if the block is damaged.
 */
export function unpackRecords<T>(
  collection: TypedCollection<T>,
  { packed }: StoredBlock,
): readonly TypedRecord<T>[] {
  const json = inflateRawSync(Buffer.from(packed, 'base64')).toString()
  return (JSON.parse(json) as (readonly [string, Json])[]).flatMap(([id, value]) => {
    const record = collection.decode({ id, value, version: '' })
    // Only records of this collection were packed.
    return typeof record === 'string' ? [] : [record as unknown as TypedRecord<T>]
  })
}
