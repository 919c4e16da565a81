import type { TypedCollection, TypedRecord } from '../../storage/collection.ts'
import { isConflict, type Query, type Write } from '../../storage/storage.ts'
import type { WebhooksContext } from '../context.ts'
import { cancelCollection } from '../records/cancel-requests.ts'
import { keyCollection } from '../records/dedupe.ts'
import { runsAfter } from '../records/due-run.ts'
import { placeCollection, waitCollection } from '../records/place-records.ts'
import {
  forgottenAt,
  lostRun,
  runCollection,
  type StoredRun,
  toRun,
} from '../records/run-record.ts'
import { readSigns, type StoredServer, serverCollection } from '../records/server-record.ts'

const pageSize = 200

type LostRunKeeper = Pick<
  WebhooksContext,
  'storage' | 'clock' | 'config' | 'work' | 'logger' | 'counters' | 'events'
>

/**
 * Ends the remaining processes on this machine of runs whose servers are dead, records these runs as `lost`, and frees their keys
 * and places. Keeps changes that other processes record meanwhile.
 *
 * @returns the number of lost runs.
 */
export async function markLostRuns(webhooks: LostRunKeeper): Promise<number> {
  const servers = new Set<string>()
  for await (const { id } of recordsBy(webhooks, serverCollection, 'id')) servers.add(id)
  for await (const { value } of recordsBy(webhooks, runCollection, 'server')) {
    if (value.server !== undefined) servers.add(value.server)
  }
  for (const collection of [placeCollection, waitCollection]) {
    for await (const { value } of recordsBy(webhooks, collection, 'server'))
      servers.add(value.server)
  }
  const own = await markAll(webhooks, await foreignRuns(webhooks, webhooks.work.heartbeat.server))
  const { runs } = await loseGoneServers(webhooks, [...servers])
  return own + runs
}

/** The result of handling dead servers. */
export interface LostServers {
  /** The number of servers. */
  readonly servers: number
  /** The number of their runs. */
  readonly runs: number
}

/** {@link markLostRuns} for some servers, if they are dead. */
export async function loseGoneServers(
  webhooks: LostRunKeeper,
  candidates: readonly string[],
): Promise<LostServers> {
  const { storage, work } = webhooks
  const own = work.heartbeat.server
  const others = candidates.filter((server) => server !== own)
  if (others.length === 0) return { servers: 0, runs: 0 }
  const signs = await readSigns(storage, others)
  let [servers, runs] = [0, 0]
  for (const server of others) {
    const sign = signs.get(server)
    if (!work.servers.isGone(server, sign)) continue
    const lost = await loseOnce(webhooks, server, sign)
    if (lost === undefined) continue
    servers++
    runs += lost
  }
  return { servers, runs }
}

const losing = new WeakMap<WebhooksContext['storage'], Map<string, Promise<number | undefined>>>()

/** Several callers may notice at the same time that a server is dead. */
function loseOnce(
  webhooks: LostRunKeeper,
  server: string,
  sign: TypedRecord<StoredServer> | undefined,
): Promise<number | undefined> {
  const current = losing.get(webhooks.storage) ?? new Map<string, Promise<number | undefined>>()
  losing.set(webhooks.storage, current)
  const known = current.get(server)
  if (known !== undefined) return known.then((runs) => runs && 0)
  const work = loseServer(webhooks, server, sign).finally(() => current.delete(server))
  current.set(server, work)
  return work
}

/** The number of its runs; `undefined` if it must stay as it is. */
async function loseServer(
  webhooks: LostRunKeeper,
  server: string,
  sign: TypedRecord<StoredServer> | undefined,
): Promise<number | undefined> {
  const { logger, storage, work } = webhooks
  const { commit, machine } = work
  const runs = await foreignRuns(webhooks, server)
  // A server without runs has no heartbeat. It may have runs again by now, which must not be ended.
  const isBack = async (): Promise<boolean> =>
    (await readSigns(storage, [server])).get(server) !== undefined
  if (sign === undefined && (await isBack())) return undefined
  if (!(await machine.endRuns(runs.map(({ id }) => id)))) {
    logger.error({ server }, 'commands of a dead server could not be ended')
    return undefined
  }
  // From here on, the server cannot start anything that depends on its heartbeat, should it be alive after all.
  const removal = sign && [serverCollection.remove(server, sign.version)]
  if (removal !== undefined && !(await wasMade(commit(removal)))) return undefined
  const isStillGone: Write = { collection: serverCollection, id: server, check: 'absent' }
  const count = await markAll(webhooks, runs, isStillGone)
  for (const collection of [placeCollection, waitCollection, cancelCollection]) {
    for await (const { id, version } of recordsBy<object>(webhooks, collection, 'server', server)) {
      await wasMade(commit([collection.remove(id, version), isStillGone]))
    }
  }
  return count
}

/** Runs in progress of a server, without those that this process owns and records itself. */
async function foreignRuns(
  webhooks: LostRunKeeper,
  server: string,
): Promise<readonly TypedRecord<StoredRun>[]> {
  const runs: TypedRecord<StoredRun>[] = []
  for await (const record of recordsBy(webhooks, runCollection, 'server', server)) {
    if (webhooks.work.board.find(record.id) === undefined) runs.push(record)
  }
  return runs
}

/** The number of runs that no other process had ended meanwhile. */
async function markAll(
  webhooks: LostRunKeeper,
  runs: readonly TypedRecord<StoredRun>[],
  ...checks: readonly Write[]
): Promise<number> {
  let count = 0
  for (const record of runs) {
    if (!(await mark(webhooks, record, checks))) continue
    count++
    tell(webhooks, lostRun(record.value))
  }
  return count
}

/** All records of a collection in order, or those of one server. */
async function* recordsBy<T extends object>(
  { storage }: Pick<WebhooksContext, 'storage'>,
  collection: TypedCollection<T>,
  by: 'id' | 'server',
  equals?: string,
): AsyncIterable<TypedRecord<T>> {
  let query: Query = { by, limit: pageSize, ...(equals === undefined ? {} : { equals }) }
  for (;;) {
    const page = await collection.find(storage, query)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    const key = by === 'id' ? last.id : String(Reflect.get(last.value, by))
    query = { ...query, after: { key, id: last.id } }
  }
}

/** Whether the commit had no conflict. */
async function wasMade(commit: Promise<unknown>): Promise<boolean> {
  try {
    await commit
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

async function mark(
  { storage, clock, config, work }: LostRunKeeper,
  { id, value, version }: TypedRecord<StoredRun>,
  checks: readonly Write[],
): Promise<boolean> {
  const { dedupe } = value
  const key = dedupe === undefined ? undefined : await keyCollection.get(storage, dedupe)
  const expiresAt = forgottenAt(clock.now(), config.current.history)
  const lost = lostRun(value)
  const followers = runsAfter(lost, config.current, clock.now())
  const write = runCollection.write(id, lost, { if: version, expiresAt })
  const writes: Write[] = [write, ...followers, ...checks]
  if (key?.value.run_id === id) writes.push(keyCollection.remove(key.id, key.version))
  return wasMade(work.commit(writes))
}

function tell({ logger, counters, events }: LostRunKeeper, lost: StoredRun): void {
  const run = toRun(lost)
  logger.warn({ run_id: run.id, webhook: run.webhook_id }, 'a run is lost: its process is dead')
  counters.runEnded(run)
  events.emit('run.finished', () => run)
}
