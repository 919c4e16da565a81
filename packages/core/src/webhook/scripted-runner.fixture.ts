import type {
  CapturedOutput,
  Command,
  CommandListener,
  CommandResult,
  CommandRunner,
  OutputStream,
} from './runner/command.ts'

/** A command that a test controls. */
export interface ScriptedCommand {
  readonly command: Command
  readonly signals: readonly string[]
  /** Writes output; settles when the service accepts more. */
  write(stream: OutputStream, text: string | Uint8Array): Promise<void>
  end(exitCode?: number, signal?: string): void
}

/** A runner that starts no processes. */
export interface ScriptedRunner extends CommandRunner {
  readonly commands: readonly ScriptedCommand[]
  /** Settles once this many commands have started. */
  started(count: number): Promise<ScriptedCommand>
}

/** @param script is called with every command that is started; a signal ends the command. */
export function createScriptedRunner(
  script: (command: ScriptedCommand) => void = () => {},
): ScriptedRunner {
  const commands: ScriptedCommand[] = []
  const waiting: (() => void)[] = []
  const begin = (command: Command, listener: CommandListener) => {
    const outputs = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
    const signals: string[] = []
    let settle = (_: CommandResult): void => {}
    const ended = new Promise<CommandResult>((resolve) => {
      settle = resolve
    })
    const captured = (stream: OutputStream): CapturedOutput => {
      const bytes = Buffer.concat(outputs[stream])
      return { bytes: bytes.subarray(0, command.outputBytes), total: bytes.length }
    }
    const scripted: ScriptedCommand = {
      command,
      signals,
      async write(stream, text) {
        const chunk = typeof text === 'string' ? new TextEncoder().encode(text) : text
        outputs[stream].push(chunk)
        await listener.onOutput?.(stream, chunk)
      },
      end(exitCode = 0, signal) {
        const [stdout, stderr] = [captured('stdout'), captured('stderr')]
        settle({ exitCode, signal: signal ?? null, stdout, stderr })
      },
    }
    commands.push(scripted)
    for (const go of waiting.splice(0)) go()
    queueMicrotask(() => script(scripted))
    const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
      signals.push(name)
      scripted.end(name === 'SIGTERM' ? 143 : 137, name)
    }
    return { ended, signal }
  }
  return {
    commands,
    async started(count) {
      for (;;) {
        const last = commands[count - 1]
        if (last !== undefined) return last
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    start: async (command, listener = {}) => ({ running: begin(command, listener) }),
    close: async () => {},
  }
}
