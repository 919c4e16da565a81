import type {
  Command,
  CommandListener,
  CommandRunner,
  Machine as HostView,
} from '@gatehouse/core/webhook'
import type { Random } from '../../test-support/random.ts'
import type { Life, Machine } from '../machine.ts'
import type { Timeline } from '../timeline.ts'
import type { Script } from './plan.ts'

/** A command started on a host. It continues when its server is killed. */
export interface HostCommand {
  readonly runId: string
  readonly webhook: string
  /** Where it runs. */
  readonly host: string
  /** The server that started it. */
  readonly by: Life
  readonly startedAt: number
  endedAt: number | undefined
  /** Whether it got SIGTERM, even if it ignored it. */
  wasSignalled: boolean
  exitCode: number
  signal: string | null
}

/** The hosts of the processes: how an operating system treats commands and servers. */
export interface Hosts {
  /** All commands ever started. */
  readonly commands: readonly HostCommand[]
  hostOf(machine: Machine): string
  /** The process of a life, as {@link HostView.own} names it. */
  pidOf(life: Life): number
  lifeOf(pid: number): Life | undefined
  running(): readonly HostCommand[]
  runnerOf(life: Life): CommandRunner
  viewOf(life: Life): HostView
}

/** Options of {@link createHosts}. */
export interface HostsOptions {
  readonly timeline: Timeline
  readonly random: Random
  /** Whether all processes share one host. */
  readonly isOne: boolean
  readonly scriptOf: (argument: string) => Script
  /** Called when a command has started. */
  readonly onStart: (command: HostCommand) => void
  readonly tell: (text: string) => void
}

const noOutput = { bytes: new Uint8Array(), total: 0 }
/** How long a service waits for the remaining processes of a killed command, in ms. */
const leftGraceMs = 5_000
const tickMs = 250

/** Hosts without commands. */
export function createHosts(options: HostsOptions): Hosts {
  const { timeline, random, isOne, scriptOf, onStart, tell } = options
  const commands: HostCommand[] = []
  const scripts = new Map<HostCommand, Script>()
  const watchers = new Map<HostCommand, () => void>()
  const pids = new Map<Life, number>()
  const lives: Life[] = []

  const hostOf = ({ name }: Machine): string => (isOne ? 'host' : `host of ${name}`)

  const pidOf = (life: Life): number => {
    const known = pids.get(life)
    if (known !== undefined) return known
    const pid = lives.push(life)
    pids.set(life, pid)
    return pid
  }

  const isRunning = ({ endedAt }: HostCommand): boolean => endedAt === undefined
  const running = (): HostCommand[] => commands.filter(isRunning)

  const end = (command: HostCommand, exitCode: number, signal: string | null): void => {
    if (command.endedAt !== undefined) return
    command.endedAt = timeline.now
    command.exitCode = exitCode
    command.signal = signal
    tell(`the command of ${command.runId} ends ${signal ?? `with ${exitCode}`}`)
    watchers.get(command)?.()
  }

  const signal = (command: HostCommand, name: 'SIGTERM' | 'SIGKILL'): void => {
    command.wasSignalled = true
    const isDeaf = name === 'SIGTERM' && scripts.get(command)?.isStubborn
    if (isDeaf || command.endedAt !== undefined) return
    const [afterMs, status] = name === 'SIGKILL' ? [1, 137] : [random.between(1, 200), 143]
    timeline.schedule(afterMs, `${name} of ${command.runId}`, () => end(command, status, name))
  }

  const start = (by: Life, { args, env }: Command): HostCommand => {
    const script = scriptOf(args[0] ?? '')
    const command: HostCommand = {
      runId: env.GATEHOUSE_RUN_ID ?? '',
      webhook: env.GATEHOUSE_WEBHOOK_ID ?? '',
      host: hostOf(by.machine),
      by,
      startedAt: timeline.now,
      endedAt: undefined,
      wasSignalled: false,
      exitCode: 0,
      signal: null,
    }
    commands.push(command)
    scripts.set(command, script)
    tell(`${by.machine.name}: starts the command of ${command.runId} (${command.webhook})`)
    timeline.schedule(script.takesMs, `${command.runId} ends`, () =>
      end(command, script.exitCode, null),
    )
    onStart(command)
    return command
  }

  const never = new Promise<never>(() => {})

  return {
    commands,
    hostOf,
    pidOf,
    lifeOf: (pid) => lives[pid - 1],
    running,

    runnerOf: (life) => ({
      find: async (command) => ({ program: command, prefix: [] }),
      close: async () => {},
      async start(command: Command, listener?: CommandListener) {
        const back = random.chance(0.1) ? random.between(0, 500) : random.between(0, 3)
        // A killed server starts nothing any more.
        const effect = async () => (life.isDead ? never : start(life, command))
        const started = await life.call('send', effect, { there: 0, back })
        const ended = new Promise<void>((resolve) => {
          const tellLife = (): void => life.enter('a command ended', resolve)
          if (started.endedAt === undefined) watchers.set(started, tellLife)
          else tellLife()
        })
        void listener
        return {
          running: {
            ended: ended.then(() => ({
              exitCode: started.exitCode,
              signal: started.signal,
              stdout: noOutput,
              stderr: noOutput,
            })),
            signal: (name) => signal(started, name),
          },
        }
      },
    }),

    viewOf(life) {
      const host = hostOf(life.machine)
      const left = (runIds: readonly string[]): readonly HostCommand[] =>
        running().filter((one) => one.host === host && runIds.includes(one.runId))
      const pause = (ms: number): Promise<void> =>
        new Promise((resolve) => void life.clock.setTimer(ms, resolve))
      return {
        own: () => ({ machine: host, pid: pidOf(life), since: 0 }),
        stateOf({ machine, pid }) {
          if (machine !== host || pid === pidOf(life)) return 'unknown'
          return lives[pid - 1]?.isDead === false ? 'there' : 'gone'
        },
        haveRuns: (runIds) => left(runIds).length > 0,
        async endRuns(runIds) {
          for (const command of left(runIds)) signal(command, 'SIGTERM')
          for (let waited = 0; waited < leftGraceMs && left(runIds).length > 0; waited += tickMs) {
            await pause(tickMs)
          }
          for (const command of left(runIds)) signal(command, 'SIGKILL')
          if (left(runIds).length > 0) await pause(tickMs)
          return left(runIds).length === 0
        },
      }
    },
  }
}
