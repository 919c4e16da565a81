import { type Launcher, startLauncher } from './launcher.ts'
import type { Workshop } from './workshop.ts'

/** The launchers of one runner. */
export interface LauncherPool {
  /** Takes an idle launcher; `undefined` if the limit is reached. Give it back afterwards. */
  take(): Launcher | Promise<Launcher | undefined> | undefined
  giveBack(launcher: Launcher): void
  /** Ends idle launchers, and the others once they are idle. Settles once the first are gone. */
  close(): Promise<void>
}

/** Options of {@link createLauncherPool}. */
export interface LauncherPoolOptions {
  readonly workshop: Workshop
  readonly shell: string
  readonly size: number
  readonly maxRuns: number
  readonly idleMs: number
}

/** How often idle launchers are checked within the idle time. */
const looks = 4
/** After this many consecutive failures to start, only one in {@link triesEvery} requests tries to start a launcher. */
const maxFailures = 3
const triesEvery = 100

/** Creates a {@link LauncherPool} that starts launchers on demand. */
export function createLauncherPool(options: LauncherPoolOptions): LauncherPool {
  const { workshop, shell, size, maxRuns, idleMs } = options
  /** Idle launchers, the last used at the end, and how many checks found them idle. */
  const idle: { readonly launcher: Launcher; looks: number }[] = []
  const all = new Set<Launcher>()
  /** Launchers in use. */
  const busy = new Set<Launcher>()
  let starting = 0
  let lastId = 0
  let failures = 0
  let refusals = 0
  let isClosed = false
  let wasNeeded = false

  const update = (): void => {
    const isNeeded = all.size + starting > idle.length
    if (isNeeded !== wasNeeded) workshop.line.keepAlive(isNeeded)
    wasNeeded = isNeeded
    if (isClosed && all.size + starting === 0) workshop.close()
  }

  const start = async (): Promise<Launcher | undefined> => {
    starting++
    update()
    const id = ++lastId
    const launcher = await startLauncher({ workshop, shell, id, maxRuns })
    starting--
    failures = launcher === undefined ? failures + 1 : 0
    if (launcher !== undefined) {
      all.add(launcher)
      busy.add(launcher)
      void launcher.gone.then(() => forget(launcher))
    }
    update()
    return launcher
  }

  const forget = (launcher: Launcher): void => {
    all.delete(launcher)
    busy.delete(launcher)
    const index = idle.findIndex((one) => one.launcher === launcher)
    if (index !== -1) idle.splice(index, 1)
    update()
  }

  const sweep = setInterval(() => {
    for (const one of idle) one.looks++
    const resting = idle.filter((one) => one.looks > looks)
    for (const { launcher } of resting) {
      idle.splice(
        idle.findIndex((one) => one.launcher === launcher),
        1,
      )
      launcher.leave()
    }
    update()
  }, idleMs / looks)
  sweep.unref()

  return {
    take() {
      if (isClosed) return undefined
      for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
        if (!one.launcher.isUsable) continue
        busy.add(one.launcher)
        update()
        return one.launcher
      }
      if (all.size + starting >= size) return undefined
      if (failures >= maxFailures && ++refusals % triesEvery !== 0) return undefined
      return start()
    },

    giveBack(launcher) {
      busy.delete(launcher)
      if (launcher.isUsable && !isClosed) idle.push({ launcher, looks: 0 })
      else launcher.leave()
      update()
    },

    async close() {
      isClosed = true
      clearInterval(sweep)
      for (const { launcher } of idle.splice(0)) launcher.leave()
      const leaving = [...all].filter((launcher) => !busy.has(launcher))
      await Promise.all(leaving.map((launcher) => launcher.gone))
      update()
    },
  }
}
