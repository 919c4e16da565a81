import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all garbage of this thread. */
export function collectAllGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
}

/** The size of this thread's reachable objects, in bytes. */
export function reachableBytes(): number {
  collectAllGarbage()
  return process.memoryUsage().heapUsed
}
