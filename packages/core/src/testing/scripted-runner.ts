import { anyText, decodeInput, objectOf, oneOf, optional, wholeFrom } from '../input/decode.ts'
import type {
  CapturedOutput,
  Command,
  CommandListener,
  CommandResult,
  CommandRunner,
  OutputStream,
} from '../webhook/runner/command.ts'

/** How a scripted command ends. */
export interface ScriptedResult {
  /** Its exit status (default 0, with a signal 128 plus its number). */
  readonly exitCode?: number
  /** The signal that kills it. */
  readonly signal?: 'SIGTERM' | 'SIGKILL'
  /** What it writes to its standard output (default nothing). */
  readonly stdout?: string
  /** What it writes to its standard error (default nothing). */
  readonly stderr?: string
  /** Why it cannot be started; then nothing else counts. */
  readonly problem?: string
}

/** Answers a command, at once or later. Until then the command runs. */
export type CommandScript = (
  command: Command,
) => ScriptedResult | undefined | Promise<ScriptedResult | undefined>

/** Answers commands from a script instead of running them. It starts no process and looks for no program. */
export interface ScriptedRunner extends CommandRunner {
  /** The commands that it was given, in order. The program of each is as the configuration has it. */
  readonly commands: readonly Command[]
  /** The signals that were sent to running commands, in order. */
  readonly signals: readonly { readonly command: Command; readonly name: 'SIGTERM' | 'SIGKILL' }[]
  /** Returns these results for the next commands, one after the other. Later ones are answered by the script again. */
  answerNext(...results: readonly ScriptedResult[]): void
  /** Removes commands, signals and remaining results. */
  clear(): void
}

const exitCodes = { SIGTERM: 143, SIGKILL: 137 } as const

const decodeResult = objectOf<ScriptedResult>({
  exitCode: optional(wholeFrom(0, 255)),
  signal: optional(oneOf(['SIGTERM', 'SIGKILL'])),
  stdout: optional(anyText),
  stderr: optional(anyText),
  problem: optional(anyText),
})

/**
 * Creates a {@link CommandRunner} for tests: pass it as the option `runner` of `createWebhooks()`.
 *
 * @param script answers each command (default: every command succeeds and writes nothing).
 * @example
 * const runner = createScriptedRunner(({ args }) => ({ stdout: `deployed ${args[0]}\n` }))
 * const webhooks = createWebhooks({ storage, config, runner })
 */
export function createScriptedRunner(script: CommandScript = () => ({})): ScriptedRunner {
  const commands: Command[] = []
  const signals: { command: Command; name: 'SIGTERM' | 'SIGKILL' }[] = []
  const next: ScriptedResult[] = []

  const answer = async (command: Command): Promise<ScriptedResult> =>
    decodeInput('result', decodeResult, next.shift() ?? (await script(command)) ?? {})

  return {
    commands,
    signals,

    async start(command, listener = {}) {
      commands.push(command)
      const answering = answer(command)
      // A result that is there at once may be that the command cannot be started.
      const first = await Promise.race([answering, afterMicrotasks()])
      if (first?.problem !== undefined) return { problem: first.problem }
      let kill = (_: ScriptedResult): void => {}
      const killed = new Promise<ScriptedResult>((resolve) => {
        kill = resolve
      })
      const ended = Promise.race([answering, killed]).then((result) =>
        write(command, listener, result),
      )
      // The service awaits it once it has noted that the command runs.
      ended.catch(() => {})
      const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
        signals.push({ command, name })
        kill({ signal: name })
      }
      return { running: { ended, signal } }
    },

    async close() {},

    answerNext(...results) {
      next.push(...results.map((result) => decodeInput('result', decodeResult, result)))
    },

    clear() {
      for (const list of [commands, signals, next]) list.length = 0
    },
  }
}

/** Resolves once scripts without real work have answered. */
async function afterMicrotasks(): Promise<undefined> {
  for (let turn = 0; turn < 20; turn++) await undefined
  return undefined
}

/** Writes the outputs of a command, and returns its result. */
async function write(
  command: Command,
  listener: CommandListener,
  { exitCode, signal, stdout = '', stderr = '' }: ScriptedResult,
): Promise<CommandResult> {
  const capture = async (stream: OutputStream, text: string): Promise<CapturedOutput> => {
    const all = new TextEncoder().encode(text)
    if (all.length > 0) await listener.onOutput?.(stream, all)
    const { outputBytes: limit, outputKeep } = command
    if (all.length > limit) listener.onOverflow?.(stream)
    const bytes = outputKeep === 'head' ? all.subarray(0, limit) : lastOf(all, limit)
    return { bytes, total: all.length }
  }
  return {
    exitCode: exitCode ?? (signal === undefined ? 0 : exitCodes[signal]),
    signal: signal ?? null,
    stdout: await capture('stdout', stdout),
    stderr: await capture('stderr', stderr),
  }
}

const lastOf = (bytes: Uint8Array, count: number): Uint8Array =>
  bytes.subarray(Math.max(0, bytes.length - count))
