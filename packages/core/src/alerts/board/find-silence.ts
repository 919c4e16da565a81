import type { TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import { type StoredSilence, silenceCollection } from '../silence/silence.ts'

import type { AlertBoard } from './board.ts'

/**
 * Returns the silence with this id in any state. This process may not know yet that another one created it a moment ago, so it
 * reads the storage before it reports the silence as missing.
 */
export async function findSilence(
  { board, storage }: { readonly board: AlertBoard; readonly storage: Storage },
  id: string,
): Promise<TypedRecord<StoredSilence> | undefined> {
  return board.silences.stored.get(id) ?? (await silenceCollection.get(storage, id))
}
