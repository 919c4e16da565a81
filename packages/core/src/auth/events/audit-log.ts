import type { Ids } from '../../crypto/ids.ts'
import type { HistoryContext } from '../../history/history-context.ts'
import { createHistoryIds } from '../../history/history-id.ts'
import { createHistoryWriter } from '../../history/history-writer.ts'
import { packHistories } from '../../history/pack-histories.ts'
import type { TypedCollection } from '../../storage/collection.ts'
import type { Write } from '../../storage/storage.ts'
import { auditCollection, auditRecord } from './audit-record.ts'
import type { AuthEvent } from './auth-event.ts'

/** Records events. They wait in memory until they are written together. */
export interface AuditLog {
  readonly history: HistoryContext
  /** Whether events are recorded at all. */
  readonly isOn: boolean
  /** Adds events that have happened. */
  note(events: readonly AuthEvent[]): void
  /** The writes of events that become true with the commit these belong to. */
  writesOf(events: readonly AuthEvent[]): readonly Write[]
  /** From now on more events may wait, because they are written soon. */
  start(): void
  /**
   * Writes the events so far.
   *
   * @throws {GatehouseError} if the storage does not accept them; they stay.
   */
  write(): Promise<void>
  /** Packs older records into blocks, and removes the oldest beyond the size limit. */
  pack(isStopped: () => boolean): Promise<void>
  /** Discards what could not be written. */
  drop(): void
}

/** The most events that wait before {@link AuditLog.start}. */
const maxBeforeStart = 1_000

/** Creates the audit log of a service. */
export function createAuditLog(history: HistoryContext, ids: Ids): AuditLog {
  const { historyRetentionMs: retentionMs } = history.options
  const isOn = retentionMs > 0
  const idAt = createHistoryIds(ids)
  const writer = createHistoryWriter(history)
  const histories = [auditCollection] as readonly unknown[] as readonly TypedCollection<unknown>[]
  let isStarted = false
  const writeOf = (event: AuthEvent, id: string): Write =>
    auditCollection.write(id, auditRecord(event), {
      expiresAt: event.context.timestamp + retentionMs,
    })
  return {
    history,
    isOn,
    note(events) {
      if (!isOn) return
      for (const event of events) {
        if (!isStarted && writer.waiting >= maxBeforeStart) return
        const id = idAt(event.context.timestamp)
        writer.add(() => writeOf(event, id))
      }
    },
    writesOf: (events) =>
      isOn ? events.map((event) => writeOf(event, idAt(event.context.timestamp))) : [],
    start() {
      isStarted = true
    },
    write: () => writer.write(),
    pack: (isStopped) => packHistories(history, { histories, isStopped }),
    drop: () => writer.drop(),
  }
}
