import { letOthersRun } from '../async/end-of-turn.ts'
import type { TypedCollection, TypedRecord } from '../storage/collection.ts'
import { isConflict } from '../storage/storage.ts'
import {
  blockCollection,
  blockId,
  blocksOf,
  type PackedSoFar,
  packedCollection,
  packRecords,
} from './history-block.ts'
import type { HistoryContext } from './history-context.ts'
import { historyBound } from './history-id.ts'

/** Members that all history records have. */
interface Noted {
  readonly at: number
}

/** The number of records in a block. */
const blockSize = 256
/** How old records must be to be packed: by then almost all have arrived. Later ones stay unpacked. */
const settledMs = 60_000

/** Options of {@link packHistories}. */
export interface PackHistoriesOptions {
  /** Collections of records with the instant `at`, which share the size limit. */
  readonly histories: readonly TypedCollection<unknown>[]
  /** Ends it early (default never). */
  readonly isStopped?: () => boolean
}

/** Packs history records into blocks, and removes the oldest blocks when all blocks exceed the size limit. */
export async function packHistories(
  context: HistoryContext,
  { histories, isStopped = () => false }: PackHistoriesOptions,
): Promise<void> {
  // All history records have the instant.
  for (const history of histories as readonly TypedCollection<Noted>[]) {
    while (!isStopped() && (await packOne(context, history))) await letOthersRun()
  }
  while (!isStopped() && (await trimOne(context, histories))) await letOthersRun()
}

/** Packs one block. Returns whether it did; then there may be more. */
async function packOne<T extends Noted>(
  { storage, clock, options, historyMetrics }: HistoryContext,
  history: TypedCollection<T>,
): Promise<boolean> {
  const { name } = history
  const known = await packedCollection.get(storage, name)
  const { to, bytes }: PackedSoFar = known?.value ?? { to: '', bytes: 0 }
  const records = await history.find(storage, {
    by: 'id',
    to: historyBound(clock.now() - settledMs),
    limit: blockSize,
    ...(to === '' ? {} : { after: { key: to, id: to } }),
  })
  const [first] = records
  const last = records.at(-1)
  if (first === undefined || last === undefined || records.length < blockSize) return false
  const { packed } = packRecords(history, records)
  const block = { from: first.id, count: records.length, offset: bytes, packed }
  const expiresAt = latest(records) + options.historyRetentionMs
  try {
    await storage.commit([
      blockCollection.write(blockId(name, last.id), block, { expiresAt }),
      packedCollection.write(
        name,
        { to: last.id, bytes: bytes + packed.length },
        { if: known?.version ?? 'absent' },
      ),
      ...records.map(({ id, version }) => history.remove(id, version)),
    ])
  } catch (error) {
    // Another process packs them, or they have expired.
    if (isConflict(error)) return false
    throw error
  }
  historyMetrics.packed.add(records.length, { collection: name })
  return true
}

const latest = (records: readonly TypedRecord<Noted>[]): number =>
  records.reduce((end, { value }) => Math.max(end, value.at), 0)

/** Removes the oldest block of the largest history if all blocks exceed the limit. Returns whether it did. */
async function trimOne(
  { storage, options, historyMetrics }: HistoryContext,
  histories: readonly TypedCollection<unknown>[],
): Promise<boolean> {
  const { historyMaxBytes } = options
  const sizes = await Promise.all(
    histories.map(async ({ name }) => {
      const known = await packedCollection.get(storage, name)
      const [oldest] = await blockCollection.find(storage, {
        by: 'id',
        ...blocksOf(name),
        limit: 1,
      })
      if (known === undefined || oldest === undefined) return { oldest: undefined, bytes: 0 }
      return { oldest, bytes: known.value.bytes - oldest.value.offset }
    }),
  )
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  historyMetrics.bytes.count = total
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes)
  if (historyMaxBytes === 0 || total <= historyMaxBytes) return false
  if (largest?.oldest === undefined) return false
  await storage.commit([blockCollection.remove(largest.oldest.id)])
  return true
}
