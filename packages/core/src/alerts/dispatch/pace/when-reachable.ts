import { isGatehouseError } from '../../../errors.ts'
import { type PauseOptions, pause } from './pause.ts'

/** How soon to retry after the storage was unavailable. */
export const retryMs = 250

/** Whether the storage is unavailable for now. */
export const isUnreachable = (error: unknown): boolean =>
  isGatehouseError(error) && error.kind === 'ServiceUnavailable' && error.reason !== 'StorageClosed'

/** Waits for an unavailable storage, until a signal is aborted: a notification that is not logged would be sent again. */
export async function whenReachable<T>(work: () => Promise<T>, waiting: PauseOptions): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      if (!(await pause(retryMs, waiting))) throw error
    }
  }
}
