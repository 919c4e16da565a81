import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { ServerProcess } from '../runner/process/machine.ts'

/** The record of a process with runs. */
export interface StoredServer extends ServerProcess {
  readonly started_at: Instant
}

/**
 * Processes with runs. Each updates its record regularly: if the record is gone or stops changing, the process is dead. See
 * `server-watch.ts`.
 */
export const serverCollection: TypedCollection<StoredServer> = defineCollection<StoredServer>({
  name: 'webhook_servers',
})

/** The records of servers, by id. */
export async function readSigns(
  storage: Storage,
  servers: readonly string[],
): Promise<ReadonlyMap<string, TypedRecord<StoredServer> | undefined>> {
  // Only heartbeats write to this collection.
  const signs = (await storage.get(serverCollection, servers)) as unknown as readonly (
    | TypedRecord<StoredServer>
    | undefined
  )[]
  return new Map(servers.map((server, index) => [server, signs[index]]))
}
