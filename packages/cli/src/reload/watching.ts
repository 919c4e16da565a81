import type { Logger, Running } from '@gatehouse/core'
import { type FileWatch, watchFiles } from './watch-files.ts'

/** A watch over the configuration files that can be turned on and off. */
export interface Watching extends Running {
  /**
   * Records the digest of each file read, even while the watch is off.
   *
   * @param isComplete whether these are all files; otherwise they are added to the known ones.
   */
  follow(digests: ReadonlyMap<string, string>, isComplete: boolean): void
  /** Turns it on or off. */
  turn(isOn: boolean): void
}

/** Creates a watch that is off. */
export function createWatching(options: { onChange: () => void; logger: Logger }): Watching {
  let known: ReadonlyMap<string, string> = new Map()
  let watch: FileWatch | undefined
  const stop = async (): Promise<void> => {
    await watch?.stop()
    watch = undefined
  }
  return {
    stop,
    follow(digests, isComplete) {
      known = isComplete ? digests : new Map([...known, ...digests])
      watch?.follow(known)
    },
    turn(isOn) {
      if (!isOn) void stop()
      else if (watch === undefined) {
        watch = watchFiles(options)
        watch.follow(known)
      }
    },
  }
}
