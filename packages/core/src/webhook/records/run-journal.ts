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

/** The record of one run, while it is under way. */
export interface RunEntry {
  /** Records how far the run has come. A failure is logged: what counts is its end. */
  update(run: Run): void
  /** Records its end. Settles after the first attempt; `onDone` is called once it is recorded or given up. Never rejects. */
  end(records: RunRecords, onDone: () => void): Promise<void>
}

/** Writes down what becomes of the runs of this process. */
export interface RunJournal {
  /**
   * Records a run that was accepted, with the key and the place it takes.
   *
   * @throws {GatehouseError} `StorageConflict` if another run took the key or the place; whatever the storage rejects with.
   */
  open(run: Run, taken: TakenByRun): Promise<RunEntry>
  /** Tries no longer to record what could not be. */
  stop(): void
}

/** What a run takes when it is recorded. */
export interface TakenByRun {
  readonly key: KeyClaim | undefined
  readonly place: PlaceClaim | undefined
  /** Whether runs of its webhook that wait elsewhere are superseded by it; asked when it is about to be recorded. */
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

/** What could not be recorded is tried again after this time, then after twice as long, and so on. */
const firstRetryMs = 500
const longestRetryMs = 30_000

/** The key a run holds, as it was written. */
interface HeldKey {
  readonly claim: KeyClaim
  readonly version: Version
  readonly value: StoredKey
}

/** What the record of a run was at last. */
interface Recorded {
  readonly owner: RunOwner
  version: Version
  readonly key: HeldKey | undefined
}

/** How the records of runs are written. Nothing of it rejects. */
interface Recorder {
  update(run: Run, recorded: Recorded): Promise<void>
  /** See {@link RunEntry.end}. */
  end(records: RunRecords, recorded: Recorded, onDone: () => void): Promise<void>
}

/** Thousands of runs may be under way: a class, since an object of functions is made anew with all of them. */
class Entry implements RunEntry, Recorded {
  readonly owner: RunOwner
  version: Version
  readonly key: HeldKey | undefined
  readonly #recorder: Recorder
  /** The update under way: the end comes after it. */
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

/** A {@link RunJournal} over a storage that others write to as well. */
export function createRunJournal(options: RunJournalOptions): RunJournal {
  const { heartbeat } = options
  const patience = createPatience(options.clock)
  const recorder = createRecorder(options, patience)
  let anyOwner: RunOwner = { server: heartbeat.server }

  return {
    async open(run, { key: claim, place, supersedes }) {
      // A run with a place must not begin where others take this process for gone: that is known before.
      if (place !== undefined) await heartbeat.ensure()
      const { server } = heartbeat
      if (anyOwner.server !== server) anyOwner = { server }
      const owner = claim === undefined ? anyOwner : { server, dedupe: claim.id }
      const { run: record } = toRunRecords(run, owner)
      const writes = [runCollection.write(run.run_id, record, { if: 'absent' })]
      const value: StoredKey = { run_id: run.run_id, created_at: run.created_at }
      if (claim !== undefined) {
        const { id, version, expiresAt } = claim
        writes.push(keyCollection.write(id, value, { if: version, expiresAt }))
      }
      const own = writes.length
      if (place !== undefined) writes.push(...place.writes)
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

  /** @throws whatever the storage rejects with, but for conflicts: then somebody else knew better. */
  const recordEnd = async (records: RunRecords, recorded: Recorded): Promise<void> => {
    try {
      await commit(endWrites(records, recorded))
    } catch (error) {
      if (!isConflict(error)) throw error
      const { run_id } = records.run
      const current = await runCollection.get(storage, run_id)
      const isOwn = current !== undefined && current.value.server === recorded.owner.server
      if (isOwn && !hasEnded(current.value) && current.version !== recorded.version) {
        // An update was made, and the answer to it was lost.
        recorded.version = current.version
        await recordEnd(records, recorded)
        return
      }
      if (recorded.key === undefined) {
        logger.warn({ run_id }, 'the record of a run was ended by somebody else')
        return
      }
      // The key may have expired, or have been taken over: that is not what the run is about.
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
        logger.error({ run_id, error: String(error) }, 'the end of a run was not recorded yet')
        void recordLater(records, recorded).then(onDone)
        return
      }
      onDone()
    },
  }
}
