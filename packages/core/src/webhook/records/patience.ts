import type { Clock } from '../../time/clock.ts'

/** Waits that can all be ended early. */
export interface Patience {
  /** Resolves to `true` after this time, or to `false` if waiting was ended. */
  wait(ms: number): Promise<boolean>
  /** Ends every wait, including future ones. */
  end(): void
}

/** Creates {@link Patience} with a clock. */
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
