import type { Logger, Running } from '@gatehouse/core'
import { type FileWatch, watchFiles } from './watch-files.ts'

/** A watch over the files of a configuration that can be switched on and off. */
export interface Watching extends Running {
  /**
   * What was read of each file, whether or not it is watched now.
   *
   * @param isComplete whether these are all files; else they are added to those there were.
   */
  follow(digests: ReadonlyMap<string, string>, isComplete: boolean): void
  /** Switches it on or off. */
  turn(isOn: boolean): void
}

/** A watch that is off. */
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
