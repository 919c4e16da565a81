import { type Decode, decodeInput, objectOf, optional } from '../../input/decode.ts'
import { invalidInput, refuse } from '../../input/refusal.ts'
import type { TypedCollection } from '../../storage/collection.ts'
import { isConflict, type Json, type Storage } from '../../storage/storage.ts'
import { canBeId } from '../../storage/storage-input.ts'
import { type DecodedAlert, isResolved, type Labels } from '../alert/alert.ts'
import { type PostableAlert, postableAlerts } from '../alert/alert-input.ts'
import { fingerprintOfObject, labelSetToObject } from '../alert/label-set.ts'
import { postDecodedAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { logCollection, logId, type StoredLog } from '../dispatch/log/log.ts'
import { type StoredSilence, silenceCollection } from '../silence/silence.ts'
import { type ForeignNotification, hashOfAlert, readLogFile } from './log-file.ts'
import { BrokenMessage } from './protobuf.ts'
import { type ForeignSilence, readSilenceFile } from './silence-file.ts'

/** What an Alertmanager leaves behind. Each part may be missing. */
export interface AlertmanagerState {
  /** The file `silences` of its data folder. */
  silences?: Uint8Array
  /**
   * The file `nflog` of its data folder: what it last told each integration about each group. It names alerts by a hash, so that it
   * is of use only beside `alerts`.
   */
  notificationLog?: Uint8Array
  /** Its alerts, as `GET /api/v2/alerts` answers them: it has them in memory only. */
  alerts?: readonly PostableAlert[]
}

/** What was taken over. What is stored already stays as it is, and is not counted. */
export interface ImportedState {
  silences: number
  /** Receivers' logs about a group. */
  notifications: number
  alerts: number
  /** Why something was left out: a line for each. */
  leftOut: readonly string[]
}

const bytes: Decode<Uint8Array> = (value) =>
  value instanceof Uint8Array ? value : refuse('a Uint8Array', value)

const stateInput = objectOf<{
  silences?: Uint8Array
  notificationLog?: Uint8Array
  alerts?: readonly DecodedAlert[]
}>({
  silences: optional(bytes),
  notificationLog: optional(bytes),
  alerts: optional(postableAlerts),
})

/**
 * Takes over what an Alertmanager knows, so that a change to Gatehouse repeats no notification and loses no silence. It may run
 * again, and beside a process that serves: what is stored already stays as it is.
 *
 * @throws {GatehouseError} `InvalidInput`, also for a file that is not Alertmanager's, in which case nothing of it is stored;
 * `InvalidAlerts` as {@link postAlerts}.
 * @example
 * import { readFile } from 'node:fs/promises'
 * const folder = '/var/lib/prometheus/alertmanager'
 * await importAlertmanagerState(alerts, {
 *   silences: await readFile(`${folder}/silences`),
 *   notificationLog: await readFile(`${folder}/nflog`),
 *   alerts: JSON.parse(await readFile('alerts.json', 'utf8')), // saved from GET /api/v2/alerts before Alertmanager stopped
 * })
 * @see Alertmanager, `silencepb.MeshSilence` and `nflogpb.MeshEntry`, each after its length
 */
export async function importAlertmanagerState(
  alerts: AlertsContext,
  state: AlertmanagerState,
): Promise<ImportedState> {
  const given = decodeInput('state', stateInput, state)
  const now = alerts.clock.now()
  const leftOut: string[] = []
  // All is read before something is stored.
  const silences = readFile('silences', given.silences, readSilenceFile).filter((one) => {
    if (one.expiresAt <= now) return false
    const problem = problemOf(one)
    if (problem !== undefined) leftOut.push(`silence ${one.id}: ${problem}`)
    return problem === undefined
  })
  const entries = readFile('notificationLog', given.notificationLog, readLogFile)
  const logs = logsOf(
    entries.filter(({ expiresAt }) => expiresAt > now),
    given.alerts ?? [],
  )
  if (logs.unknown > 0) {
    leftOut.push(
      `${logs.unknown} of ${logs.known + logs.unknown} alerts of the notification log: no given alert has their hash`,
    )
  }
  // The logs first: a group is armed as soon as it has an alert.
  const imported = {
    notifications: await storeAbsent(alerts.storage, logCollection, logs.records),
    silences: await storeAbsent(
      alerts.storage,
      silenceCollection,
      silences.map(({ id, silence }) => ({ id, value: silence })),
    ),
  }
  const firing = (given.alerts ?? []).filter(
    ({ endsAt }) => endsAt === undefined || !isResolved({ endsAt }, now),
  )
  const most = alerts.options.maxAlertsPerRequest || firing.length
  for (let at = 0; at < firing.length; at += most) {
    await postDecodedAlerts(alerts, firing.slice(at, at + most))
  }
  return { ...imported, alerts: firing.length, leftOut }
}

function readFile<T>(
  path: string,
  content: Uint8Array | undefined,
  read: (bytes: Uint8Array) => Iterable<T>,
): T[] {
  if (content === undefined) return []
  try {
    return [...read(content)]
  } catch (error) {
    if (!(error instanceof BrokenMessage)) throw error
    throw invalidInput(`state.${path}`, 'a file of Alertmanager', `another one: ${error.message}`)
  }
}

/** Why a silence could not be stored, or could not be read again. */
function problemOf({ id, silence }: ForeignSilence): string | undefined {
  if (silence.matchers.length === 0) return 'it has no matchers that this version knows'
  if (!canBeId(id)) return 'it has no id'
  const value: Json = { ...silence, matchers: [...silence.matchers] }
  const read = silenceCollection.decode({ id, value, version: '' })
  return typeof read === 'string' ? read : undefined
}

/** A record to store, if there is none with its id. */
interface NewRecord<T> {
  readonly id: string
  readonly value: T
  readonly expiresAt?: number
}

/** The logs of Gatehouse from entries of Alertmanager, which has one for each integration. */
function logsOf(
  entries: readonly ForeignNotification[],
  alerts: readonly DecodedAlert[],
): { records: readonly NewRecord<StoredLog>[]; known: number; unknown: number } {
  const fingerprints = new Map(
    alerts.map(({ labels }) => {
      const object: Labels = labels instanceof Map ? labelSetToObject(labels) : (labels as Labels)
      return [hashOfAlert(object), fingerprintOfObject(object)]
    }),
  )
  const [records, known, unknown] = [
    new Map<string, Required<NewRecord<StoredLog>>>(),
    new Set<bigint>(),
    new Set<bigint>(),
  ]
  const named = (hashes: readonly bigint[]): readonly string[] =>
    hashes
      .flatMap((hash) => {
        const found = fingerprints.get(hash)
        if (found === undefined) unknown.add(hash)
        else known.add(hash)
        return found ?? []
      })
      .sort()
  for (const { groupKey, receiver, integration, at, firing, resolved, expiresAt } of entries) {
    const id = logId(groupKey, receiver)
    const before = records.get(id)
    const entry = { at, firing: named(firing), resolved: named(resolved) }
    const integrations = { ...before?.value.integrations, [integration]: entry }
    const last = Math.max(expiresAt, before?.expiresAt ?? 0)
    records.set(id, { id, value: { integrations }, expiresAt: last })
  }
  return { records: [...records.values()], known: known.size, unknown: unknown.size }
}

/** Stores those whose id is free, and returns their number. */
async function storeAbsent<T extends StoredSilence | StoredLog>(
  storage: Storage,
  collection: TypedCollection<T>,
  records: readonly NewRecord<T>[],
): Promise<number> {
  let stored = 0
  for (const { id, value, expiresAt } of records) {
    const options = { if: 'absent', ...(expiresAt === undefined ? {} : { expiresAt }) } as const
    try {
      await storage.commit([collection.write(id, value, options)])
      stored++
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  return stored
}
