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
  toRunRecords,
} from './run-record.ts'

/** The record of a run in progress. */
export interface RunEntry {
  /** Records the progress of the run. A failure is only logged, because the end matters more. */
  update(run: Run): void
  /** Records its end. Settles after the first attempt; `onDone` is called once the end is recorded or given up. Never rejects. */
  end(records: RunRecords, onDone: () => void): Promise<void>
}

/** Records the runs of this process. */
export interface RunJournal {
  /**
   * Records an accepted run, with the key and the place it takes.
   *
   * @throws {GatehouseError} `StorageConflict` if another run took the key or the place; any error of the storage.
   */
  open(run: Run, taken: TakenByRun): Promise<RunEntry>
  /** Stops retrying. */
  stop(): void
}

/** What a run takes when it is recorded: a key, a place, and a part of a rate limit. */
export interface TakenByRun {
  readonly key: KeyClaim | undefined
  readonly rate: readonly Write[]
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
}

/** The delay before the first retry; it doubles each time. */
const firstRetryMs = 500
const longestRetryMs = 30_000

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
  readonly key: HeldKey | undefined
}

/** Writes the records of runs. Never rejects. */
interface Recorder {
  update(run: Run, recorded: Recorded): Promise<void>
  /** See {@link RunEntry.end}. */
  end(records: RunRecords, recorded: Recorded, onDone: () => void): Promise<void>
}

/** Thousands of runs may be in progress. A class, because an object literal would create its functions anew for each. */
class Entry implements RunEntry, Recorded {
  readonly owner: RunOwner
  version: Version
  readonly key: HeldKey | undefined
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
    this.#updating = this.#recorder.update(run, this)
  }

  async end(records: RunRecords, onDone: () => void): Promise<void> {
    if (this.#updating !== undefined) await this.#updating
    await this.#recorder.end(records, this, onDone)
  }
}

/** Creates a {@link RunJournal} over a storage that others write to as well. */
export function createRunJournal(options: RunJournalOptions): RunJournal {
  const { heartbeat } = options
  const patience = createPatience(options.clock)
  const recorder = createRecorder(options, patience)
  let anyOwner: RunOwner = { server: heartbeat.server }

  return {
    async open(run, { key: claim, place, rate, supersedes }) {
      // A run with a place must not start if others consider this process dead, so check that first.
      if (place !== undefined) await heartbeat.ensure()
      const { server } = heartbeat
      if (anyOwner.server !== server) anyOwner = { server }
      const owner = claim === undefined ? anyOwner : { server, dedupe: claim.id }
      const { run: record } = toRunRecords(run, owner)
      const writes = [runCollection.write(run.run_id, record, { if: 'absent' })]
      const { run_id, id: webhook, created_at } = run
      const value: StoredKey = { run_id, webhook, created_at }
      if (claim !== undefined) {
        const { id, version, expiresAt } = claim
        writes.push(keyCollection.write(id, value, { if: version, expiresAt }))
      }
      const own = writes.length
      if (place !== undefined) writes.push(...place.writes)
      writes.push(...rate)
      if (supersedes()) writes.push(latestCollection.write(laneKey(run.id), { run_id: run.run_id }))
      const [, versions] = await Promise.all([heartbeat.ensure(), options.commit(writes)])
      const [version = '', keyVersion = ''] = versions
      place?.settle(versions.slice(own))
      const key = claim && { claim, version: keyVersion, value }
      return new Entry(recorder, { owner, version, key })
    },

    stop: patience.end,
  }
}

function createRecorder(options: RunJournalOptions, patience: Patience): Recorder {
  const { storage, commit, clock, logger, history } = options

  const endWrites = ({ run, output }: RunRecords, { version, key }: Recorded): Write[] => {
    const expiresAt = forgottenAt(clock.now(), history())
    const writes = [runCollection.write(run.run_id, run, { if: version, expiresAt })]
    if (output !== undefined) writes.push(outputCollection.write(run.run_id, output, { expiresAt }))
    if (key === undefined) return writes
    const { claim, value } = key
    const kept = { if: key.version, expiresAt: claim.expiresAt }
    const ofKey = holdsKey(run)
      ? keyCollection.write(claim.id, { run, ...value }, kept)
      : keyCollection.remove(claim.id, key.version)
    return [...writes, ofKey]
  }

  /** @throws any error of the storage except conflicts, which mean that another process has ended the run. */
  const recordEnd = async (records: RunRecords, recorded: Recorded): Promise<void> => {
    try {
      await commit(endWrites(records, recorded))
    } catch (error) {
      if (!isConflict(error)) throw error
      const { run_id } = records.run
      const current = await runCollection.get(storage, run_id)
      const isOwn = current !== undefined && current.value.server === recorded.owner.server
      if (isOwn && !hasEnded(current.value) && current.version !== recorded.version) {
        // An update succeeded, but its answer was lost.
        recorded.version = current.version
        await recordEnd(records, recorded)
        return
      }
      if (recorded.key === undefined) {
        logger.warn({ run_id }, 'another process ended the record of a run')
        return
      }
      // The key may have expired or belong to another run now. That does not concern this run.
      const { owner, version } = recorded
      await recordEnd(records, { owner, version, key: undefined })
    }
  }

  const recordLater = async (records: RunRecords, recorded: Recorded): Promise<void> => {
    const { run_id, status } = records.run
    let waitMs = firstRetryMs
    while (await patience.wait(waitMs)) {
      try {
        return await recordEnd(records, recorded)
      } catch (error) {
        logger.debug({ run_id, error: String(error) }, 'still not recorded')
      }
      waitMs = Math.min(2 * waitMs, longestRetryMs)
    }
    logger.error({ run_id, status }, 'the end of a run was never recorded')
  }

  return {
    async update(run, recorded) {
      const { run: record } = toRunRecords(run, recorded.owner)
      const write = runCollection.write(run.run_id, record, { if: recorded.version })
      try {
        const [version = ''] = await commit([write])
        recorded.version = version
      } catch (error) {
        logger.warn({ run_id: run.run_id, error: String(error) }, 'a run was not recorded')
      }
    },

    async end(records, recorded, onDone) {
      try {
        await recordEnd(records, recorded)
      } catch (error) {
        const { run_id } = records.run
        logger.error({ run_id, error: String(error) }, 'the end of a run is not recorded yet')
        void recordLater(records, recorded).then(onDone)
        return
      }
      onDone()
    },
  }
}
