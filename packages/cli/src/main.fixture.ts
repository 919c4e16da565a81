import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { vi } from 'vitest'

/** The built program. */
export const main: string = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The output of a command and how it ended. */
export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A running server command. */
export interface Serving {
  /** The first address it listens on, as a URL. */
  readonly url: string
  readonly pid: number
  signal(signal: NodeJS.Signals): void
  /** Resolves once the log has a matching line that no earlier call has returned. */
  logged(pattern: RegExp): Promise<string>
  /** Closes the pipes of its output. */
  deafen(): void
  /** Resolves when it exits. */
  readonly ended: Promise<Ended>
}

function start(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  if (!existsSync(main)) throw new Error(`${main} is missing: npm test builds it first`)
  // Test runners force colors.
  const { FORCE_COLOR: _, ...inherited } = process.env
  return spawn(process.execPath, [main, ...args], { cwd, env: { ...inherited, ...env } })
}

/** Starts the built command as systemd does: with sockets that listen, and variables that name its process. */
function startWith(sockets: readonly number[], args: readonly string[], cwd: string): ChildProcess {
  const program = ['-c', 'LISTEN_PID=$$ exec "$0" "$@"', process.execPath, main, ...args]
  return spawn('/bin/sh', program, {
    cwd,
    env: { ...process.env, LISTEN_FDS: `${sockets.length}`, LISTEN_FDNAMES: 'gatehouse.socket' },
    stdio: ['pipe', 'pipe', 'pipe', ...sockets],
  })
}

function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
}

/** Runs the built command to its end. */
export function runCli(
  args: readonly string[],
  cwd: string,
  input = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = start(args, cwd, env)
  // A command that is refused ends without reading.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  return endOf(child)
}

/** The end of the last command of {@link runHere}: they take turns, as a process has one working directory. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs a command that serves nothing and reads no standard input to its end in this process, from its sources, which is cheaper
 * than another process. {@link runCli} proves that the built command does the same.
 */
export function runHere(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const ended = turn.then(() => endHere(args, cwd, env))
  turn = ended.catch(() => {})
  return ended
}

async function endHere(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const { runProgram } = await import('./program.ts')
  const printed = { stdout: '', stderr: '' }
  const exited = new Error('exited')
  let exitCode = 0
  const streams = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      for (const done of rest) if (typeof done === 'function') done()
      return true
    }),
  )
  const lines = (
    [
      ['log', 'stdout'],
      ['error', 'stderr'],
    ] as const
  ).map(([method, name]) =>
    vi.spyOn(console, method).mockImplementation((...values) => {
      printed[name] += `${format(...values)}\n`
    }),
  )
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    exitCode = Number(code ?? 0)
    throw exited
  })
  const argv = vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'gatehouse', ...args])
  const [folder, environment] = [process.cwd(), { ...process.env }]
  delete process.env.FORCE_COLOR // Test runners force colors.
  Object.assign(process.env, env)
  process.chdir(cwd)
  try {
    await runProgram()
  } catch (error) {
    if (error !== exited) throw error
  } finally {
    // Lines are written at the end of a turn of the event loop.
    await new Promise(setImmediate)
    process.chdir(folder)
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, environment)
    for (const spy of [...streams, ...lines, exit, argv]) spy.mockRestore()
  }
  return { exitCode, ...printed }
}

/**
 * Starts the built command and waits until it listens.
 *
 * @param sockets descriptors that a service manager hands over (default: it has none).
 */
export async function serveCli(
  args: readonly string[],
  cwd: string,
  sockets?: readonly number[],
): Promise<Serving> {
  const child = sockets === undefined ? start(args, cwd) : startWith(sockets, args, cwd)
  child.stdin?.end()
  const ended = endOf(child)
  let log = ''
  let seen = 0
  const logged = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const line = log
          .slice(seen)
          .split('\n')
          .find((candidate) => pattern.test(candidate))
        if (line === undefined) return
        seen = log.indexOf(line, seen) + line.length
        child.stderr?.off('data', look)
        resolve(line)
      }
      child.stderr?.on('data', look)
      child.once('close', () => reject(new Error(`it ended without ${pattern}:\n${log}`)))
      look()
    })
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  const url =
    /address"?[=:]"?((?:https?:\/\/|unix:|fd:)[^\s"]+)/.exec(
      await logged(/msg"?[=:]"?listening/),
    )?.[1] ?? ''
  const deafen = (): void => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  return {
    url,
    pid: child.pid ?? -1,
    logged,
    ended,
    deafen,
    signal: (signal) => void child.kill(signal),
  }
}
