import type { TypedRecord } from '../../storage/collection.ts'
import type { AlertsContext } from '../context.ts'
import { type StoredSilence, silenceCollection } from '../silence/silence.ts'

/**
 * The silence with this id, whatever its state. One that another process created a moment ago may not be known here
 * yet: before it counts as missing, the storage itself is asked.
 */
export async function findSilence(
  { board, storage }: AlertsContext,
  id: string,
): Promise<TypedRecord<StoredSilence> | undefined> {
  return board.silences.stored.get(id) ?? (await silenceCollection.get(storage, id))
}
