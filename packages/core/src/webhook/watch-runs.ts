import { readEvents } from '../changes/read-events.ts'
import { anyText, decodeInput, exactly, optional } from '../input/decode.ts'
import type { WebhooksContext } from './context.ts'
import { type GettableRunState, runFilter } from './http/run-change-source.ts'
import type { Run } from './run.ts'

/** Which runs to follow. */
export interface RunChangesQuery {
  /** Only runs of this webhook. */
  webhook_id?: string | undefined
  /** Continues after this position, from {@link RunChange}. */
  since?: string | undefined
}

type RunIds = Pick<Run, 'id' | 'webhook_id'>

/** The data of each kind of change. */
export interface RunChangeData {
  /** The stream is open. If it did not resume, read the list now: changes after this event are sent. */
  ready: { readonly resumed: boolean }
  /** Too much has changed to send it one by one: read the list again. */
  reset: Readonly<Record<string, never>>
  /** The server ends the stream, because the reader was too slow, it shuts down, or rights are asked again. */
  end: { readonly reason: 'slow' | 'closing' | 'renew' }
  /** A run was accepted, has started, was started again, or has ended. Times are RFC 3339. */
  run: Omit<GettableRunState, 'id' | 'run_id'> & RunIds
  /** A run in progress whose record is gone: it has ended, and the history does not keep it. */
  'run-removed': RunIds
}

/** A change. `data` is the new state of the run. */
export type RunChange = {
  [Type in keyof RunChangeData]: {
    readonly type: Type
    readonly data: RunChangeData[Type]
    /** For {@link RunChangesQuery.since}: everything up to here was returned. */
    readonly position: string | undefined
  }
}[keyof RunChangeData]

const changesQuery = exactly<RunChangesQuery>({
  webhook_id: optional(anyText),
  since: optional(anyText),
})

/**
 * Follows the runs of this process and of others that share the storage: each change comes within a second. Leave the loop to stop.
 *
 * @throws {GatehouseError} `InvalidInput`; `TooManyListeners`; `ServiceClosing` after {@link closeWebhooks}.
 * @example
 * for await (const change of watchRuns(webhooks, { webhook_id: 'deploy' })) {
 *   if (change.type === 'run') console.log(change.data.id, change.data.status)
 * }
 */
export async function* watchRuns(
  webhooks: WebhooksContext,
  query: RunChangesQuery = {},
): AsyncGenerator<RunChange> {
  const { webhook_id: id, since } = decodeInput('query', changesQuery, query)
  const stream = await webhooks.changes.listen(runFilter(id), since)
  for await (const { event, data, position } of readEvents(stream)) {
    const written: object = JSON.parse(data)
    // The hub writes no other events.
    yield { type: event, data: inCode(written), position } as RunChange
  }
}

/** Programs see the ids of a run under other names than clients. */
function inCode(written: object): object {
  if (!('run_id' in written) || !('id' in written)) return written
  const { run_id: id, id: webhook_id, ...others } = written
  return { id, webhook_id, ...others }
}
