import type { Ids } from '../../crypto/ids.ts'
import type { HistoryContext } from '../../history/history-context.ts'
import { createHistoryIds } from '../../history/history-id.ts'
import { createHistoryWriter } from '../../history/history-writer.ts'
import { packHistories } from '../../history/pack-histories.ts'
import type { TypedCollection } from '../../storage/collection.ts'
import type { AuthEvent } from '../ports.ts'
import { auditCollection, auditRecord } from './audit-record.ts'

/** Records events. They wait in memory until they are written together. */
export interface AuditLog {
  readonly history: HistoryContext
  /** Whether events are recorded at all. */
  readonly isOn: boolean
  /** Adds events that have happened. */
  note(events: readonly AuthEvent[]): void
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
const mostBeforeStart = 1_000

/** Creates the audit log of a service. */
export function createAuditLog(history: HistoryContext, ids: Ids): AuditLog {
  const { historyRetentionMs: retentionMs } = history.options
  const isOn = retentionMs > 0
  const idAt = createHistoryIds(ids)
  const writer = createHistoryWriter(history)
  const histories = [auditCollection] as readonly unknown[] as readonly TypedCollection<unknown>[]
  let isStarted = false
  return {
    history,
    isOn,
    note(events) {
      if (!isOn) return
      for (const event of events) {
        if (!isStarted && writer.waiting >= mostBeforeStart) return
        const at = event.context.timestamp
        const id = idAt(at)
        writer.add(() =>
          auditCollection.write(id, auditRecord(event), { expiresAt: at + retentionMs }),
        )
      }
    },
    start() {
      isStarted = true
    },
    write: () => writer.write(),
    pack: (isStopped) => packHistories(history, { histories, isStopped }),
    drop: () => writer.drop(),
  }
}
