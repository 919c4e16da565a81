import type { Logger } from '../../logger.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import { isConflict, type Storage, type Version, type Write } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import { hasEnded, type Run } from '../run.ts'
import type { WebhookHistory } from '../webhook.ts'
import { holdsKey, type KeyClaim, keyCollection, type StoredKey } from './dedupe.ts'
import type { Heartbeat } from './heartbeat.ts'
import { createPatience, type Patience } from './patience.ts'
import { laneKey, latestCollection, type PlaceClaim } from './place-records.ts'
import {
  forgottenAt,
  outputCollection,
  type RunOwner,
  type RunRecords,
  runCollection,
  type StoredRun,
  toRunRecords,
} from './run-record.ts'

/** The record of a run in progress. */
export interface RunEntry {
  /** Records the progress of the run. A failure is only logged, because the end matters more. */
  update(run: Run): void
  /**
   * Records its end. If the storage is down, it retries, and resolves after ten seconds at the latest. `onDone` is called once the
   * end is recorded or given up. Never rejects.
   *
   * @returns the recorded run: the given one, or the end that another process recorded before; `undefined` if it is not recorded.
   */
  end(records: RunRecords, onDone: () => void): Promise<StoredRun | undefined>
}

/** Records the runs of this process. */
export interface RunJournal {
  /**
   * Records an accepted run, with the key and the place it takes.
   *
   * @throws {GatehouseError} `StorageConflict` if another run took the key or the place; any error of the storage.
   */
  open(run: Run, taken: TakenByRun): Promise<RunEntry>
  /** No longer makes the ends of runs wait for the storage. */
  hurry(): void
  /** Stops retrying. */
  stop(): void
}

/** What a run takes when it is recorded: a key, a place, and whatever else is written with it. */
export interface TakenByRun {
  readonly key: KeyClaim | undefined
  readonly together: readonly Write[]
  readonly place: PlaceClaim | undefined
  /** Whether the run replaces waiting runs of its webhook in other processes; called right before it is recorded. */
  readonly supersedes: () => boolean
}

/** Options of {@link createRunJournal}. */
export interface RunJournalOptions {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly heartbeat: Heartbeat
  readonly clock: Clock
  readonly logger: Logger
  readonly history: () => WebhookHistory
  /** The writes that plan what comes after a run that has ended. */
  readonly followers: (ended: StoredRun) => readonly Write[]
}

/** The delay before the first retry; it doubles each time. */
const firstRetryMs = 500
const maxRetryMs = 30_000
/** How long a run whose end is not recorded counts as running, so that its sender gets no answer that a crash would belie. */
const heldMs = 10_000

/** The key of a run, as it was written. */
interface HeldKey {
  readonly claim: KeyClaim
  readonly version: Version
  readonly value: StoredKey
}

/** The last recorded state of a run. */
interface Recorded {
  readonly owner: RunOwner
  version: Version
  key: HeldKey | undefined
}

/** Writes the records of runs. Never rejects. */
interface Recorder {
  update(run: Run, recorded: Recorded): Promise<void>
  /** See {@link RunEntry.end}. */
  end(records: RunRecords, recorded: Recorded, onDone: () => void): Promise<StoredRun | undefined>
}

/** Thousands of runs may be in progress. A class, because an object literal would create its functions for each. */
class Entry implements RunEntry, Recorded {
  readonly owner: RunOwner
  version: Version
  key: HeldKey | undefined
  readonly #recorder: Recorder
  /** The update in progress. The end is written after it. */
  #updating: Promise<void> | undefined = undefined

  constructor(recorder: Recorder, { owner, version, key }: Recorded) {
    this.owner = owner
    this.version = version
    this.key = key
    this.#recorder = recorder
  }

  update(run: Run): void {
    const update = (): Promise<void> => this.#recorder.update(run, this)
    this.#updating = this.#updating === undefined ? update() : this.#updating.then(update)
  }

  async end(records: RunRecords, onDone: () => void): Promise<StoredRun | undefined> {
    if (this.#updating !== undefined) await this.#updating
    return this.#recorder.end(records, this, onDone)
  }
}

/** Creates a {@link RunJournal} over a storage that others write to as well. */
export function createRunJournal(options: RunJournalOptions): RunJournal {
  const { heartbeat } = options
  const patience = createPatience(options.clock)
  const holding = createPatience(options.clock)
  const recorder = createRecorder(options, { patience, holding })
  let anyOwner: RunOwner = { server: heartbeat.server }

  return {
    async open(run, { key: claim, place, together, supersedes }) {
      // A run with a place must not start if others consider this process dead, so check that first.
      if (place !== undefined) await heartbeat.ensure()
      const { server } = heartbeat
      if (anyOwner.server !== server) anyOwner = { server }
      const owner = claim === undefined ? anyOwner : { server, dedupe: claim.id }
      const { run: record } = toRunRecords(run, owner)
      const writes = [runCollection.write(run.id, record, { if: 'absent' })]
      const { id: run_id, webhook_id: webhook, created_at } = run
      const value: StoredKey = { run_id, webhook, created_at }
      if (claim !== undefined) {
        const { id, version, expiresAt } = claim
        writes.push(keyCollection.write(id, value, { if: version, expiresAt }))
      }
      const own = writes.length
      if (place !== undefined) writes.push(...place.writes)
      writes.push(...together)
      if (supersedes())
        writes.push(latestCollection.write(laneKey(run.webhook_id), { run_id: run.id }))
      const [, versions] = await Promise.all([heartbeat.ensure(), options.commit(writes)])
      const [version = '', keyVersion = ''] = versions
      place?.settle(versions.slice(own))
      const key = claim && { claim, version: keyVersion, value }
      return new Entry(recorder, { owner, version, key })
    },

    hurry: holding.end,

    stop() {
      holding.end()
      patience.end()
    },
  }
}

/** The waits for the next attempt to record an end, and those of runs for their end to be recorded. */
interface Waits {
  readonly patience: Patience
  readonly holding: Patience
}

function createRecorder(options: RunJournalOptions, { patience, holding }: Waits): Recorder {
  const { storage, commit, clock, logger, history, followers } = options

  const endWrites = ({ run, output }: RunRecords, { version, key }: Recorded): Write[] => {
    const expiresAt = forgottenAt(clock.now(), history())
    const ended = runCollection.write(run.run_id, run, { if: version, expiresAt })
    const writes = [ended, ...followers(run)]
    if (output !== undefined) writes.push(outputCollection.write(run.run_id, output, { expiresAt }))
    if (key === undefined) return writes
    const { claim, value } = key
    const kept = { if: key.version, expiresAt: claim.expiresAt }
    const ofKey = holdsKey(run)
      ? keyCollection.write(claim.id, { run, ...value }, kept)
      : keyCollection.remove(claim.id, key.version)
    return [...writes, ofKey]
  }

  /**
   * @returns see {@link RunEntry.end}.
   * @throws any error of the storage except a conflict with another end.
   */
  const recordEnd = async (
    records: RunRecords,
    recorded: Recorded,
  ): Promise<StoredRun | undefined> => {
    try {
      await commit(endWrites(records, recorded))
      return records.run
    } catch (error) {
      if (!isConflict(error)) throw error
      const { run_id, status, finished_at } = records.run
      const current = await runCollection.get(storage, run_id)
      if (current !== undefined && !hasEnded(current.value)) {
        // An update succeeded, but its answer was lost.
        if (current.version !== recorded.version) recorded.version = current.version
        // The key may have expired or belong to another run now. That does not concern this run.
        else if (recorded.key !== undefined) recorded.key = undefined
        else throw error
        return recordEnd(records, recorded)
      }
      const found = current?.value
      // This end was recorded, but the answer was lost.
      if (found?.status === status && found.finished_at === finished_at) return records.run
      logger.warn({ run_id, recorded: found?.status }, 'another process ended the record of a run')
      return found
    }
  }

  const recordLater = async (
    records: RunRecords,
    recorded: Recorded,
  ): Promise<StoredRun | undefined> => {
    const { run_id, status } = records.run
    let waitMs = firstRetryMs
    while (await patience.wait(waitMs)) {
      try {
        return await recordEnd(records, recorded)
      } catch (error) {
        logger.debug({ run_id, error: String(error) }, 'still not recorded')
      }
      waitMs = Math.min(2 * waitMs, maxRetryMs)
    }
    logger.error({ run_id, status }, 'the end of a run was never recorded')
    return undefined
  }

  return {
    async update(run, recorded) {
      const { run: record } = toRunRecords(run, recorded.owner)
      const write = runCollection.write(run.id, record, { if: recorded.version })
      try {
        const [version = ''] = await commit([write])
        recorded.version = version
      } catch (error) {
        logger.warn({ run_id: run.id, error: String(error) }, 'a run was not recorded')
      }
    },

    async end(records, recorded, onDone) {
      try {
        const run = await recordEnd(records, recorded)
        onDone()
        return run
      } catch (error) {
        const { run_id } = records.run
        logger.error({ run_id, error: String(error) }, 'the end of a run is not recorded yet')
      }
      const later = recordLater(records, recorded).finally(onDone)
      return Promise.race([later, holding.wait(heldMs).then(() => undefined)])
    },
  }
}
