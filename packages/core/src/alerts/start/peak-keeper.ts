import type { HistoryContext } from '../../history/history-context.ts'
import { historyBound } from '../../history/history-id.ts'
import { retryOnConflict, type Storage } from '../../storage/storage.ts'
import {
  type FiringPeak,
  firingPeakCollection,
  maxParts,
  partMs,
  startOfPart,
} from '../history/firing-peak.ts'

/** Records how many alerts fired at once at most. */
export interface PeakKeeper {
  /**
   * Notes how many alerts fire now, and writes the peak if it is new or was not written for a minute.
   *
   * @param isLast writes it in any case, because the process ends.
   * @throws {GatehouseError} if the storage does not accept it: it is written with a later note.
   */
  note(alerts: number, isLast: boolean): Promise<void>
}

const writeEveryMs = 60_000

/** Creates a keeper that has noted nothing. */
export function createPeakKeeper({ storage, clock, options }: HistoryContext): PeakKeeper {
  const keptMs = partMs + Math.min(maxParts * partMs, options.historyRetentionMs)
  let peak: FiringPeak | undefined
  let written: FiringPeak | undefined
  let dueAt = 0

  const write = async (): Promise<void> => {
    if (peak === undefined || peak === written) return
    const one = peak
    await retryOnConflict(() => storePeak(storage, one, keptMs))
    written = one
    dueAt = clock.monotonic() + writeEveryMs
  }

  return {
    async note(alerts, isLast) {
      const at = startOfPart(clock.now())
      if (peak?.at !== at) {
        await write()
        peak = { at, alerts }
        // A part without a record is one in which no process ran.
        await write()
      } else if (alerts > peak.alerts) peak = { at, alerts }
      if (isLast || clock.monotonic() >= dueAt) await write()
    },
  }
}

/** Stores a peak, unless another process has stored one that is as high. */
async function storePeak(storage: Storage, peak: FiringPeak, keptMs: number): Promise<void> {
  const id = historyBound(peak.at)
  const known = await firingPeakCollection.get(storage, id)
  if (known !== undefined && known.value.alerts >= peak.alerts) return
  await storage.commit([
    firingPeakCollection.write(id, peak, {
      expiresAt: peak.at + keptMs,
      if: known?.version ?? 'absent',
    }),
  ])
}
