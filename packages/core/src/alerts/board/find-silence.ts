import type { TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import { type StoredSilence, silenceCollection } from '../silence/silence.ts'

import type { AlertBoard } from './board.ts'

/**
 * The silence with this id, whatever its state. One that another process created a moment ago may not be known here
 * yet: before it counts as missing, the storage itself is asked.
 */
export async function findSilence(
  { board, storage }: { readonly board: AlertBoard; readonly storage: Storage },
  id: string,
): Promise<TypedRecord<StoredSilence> | undefined> {
  return board.silences.stored.get(id) ?? (await silenceCollection.get(storage, id))
}
