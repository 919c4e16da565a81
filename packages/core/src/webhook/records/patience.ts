import type { Clock } from '../../time/clock.ts'

/** Waits, until there is nothing worth waiting for. */
export interface Patience {
  /** Whether the time has passed; otherwise nobody waits any more. */
  wait(ms: number): Promise<boolean>
  /** Ends every wait, also those to come. */
  end(): void
}

/** {@link Patience} by a clock. */
export function createPatience(clock: Clock): Patience {
  const waits = new Set<() => void>()
  let isOver = false
  return {
    wait(ms) {
      if (isOver) return Promise.resolve(false)
      return new Promise((resolve) => {
        const settle = (hasPassed: boolean): void => {
          cancel()
          waits.delete(giveUp)
          resolve(hasPassed)
        }
        const giveUp = (): void => settle(false)
        const cancel = clock.setTimer(ms, () => settle(true))
        waits.add(giveUp)
      })
    },
    end() {
      isOver = true
      for (const giveUp of [...waits]) giveUp()
    },
  }
}
