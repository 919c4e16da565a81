import type { Command } from '../command.ts'
import type { Launcher } from './launcher.ts'

/** Characters that mean something to shells. */
const awkward = ' -n $(id) `id` "$HOME" \'\\ \\n * ~ # ; & | < > é\u0081\u{1f600} '

/** Shows its words and its environment. */
const shows: Command = {
  program: '/bin/cat',
  args: ['--', '/proc/self/cmdline', '/proc/self/environ'],
  workdir: '/',
  env: { _: '-', PATH: '/usr/bin:/bin', AWKWARD: awkward },
  stdin: undefined,
  outputBytes: 4_096,
  outputKeep: 'head',
  killLeftovers: false,
  live: false,
}

/** Is ended by a signal, of which shells have something to say. */
const dies: Command = { ...shows, program: '/bin/sh', args: ['-c', 'kill -KILL $$'] }

/**
 * Whether the shell of a launcher is one that gives commands what they are to have and nothing beside: some set variables of their
 * own. To be asked of the first launcher.
 */
export async function isExact(launcher: Launcher): Promise<boolean> {
  const { program, args, env } = shows
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const shown = await outcome(launcher, shows)
  const died = await outcome(launcher, dies)
  return (
    isSame(linesOf(shown.stdout), [program, ...args, ...variables]) &&
    died.signal === 'SIGKILL' &&
    died.stderr === ''
  )
}

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly signal: string | null
}

async function outcome(launcher: Launcher, command: Command): Promise<Outcome> {
  const running = launcher.run(command, {}, () => {})
  if (running === undefined) return { stdout: '', stderr: 'it could not run', signal: null }
  try {
    const { stdout, stderr, signal } = await running.ended
    return { stdout: textOf(stdout.bytes), stderr: textOf(stderr.bytes), signal }
  } catch (error) {
    return { stdout: '', stderr: String(error), signal: null }
  }
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

/** Texts that each end in a NUL. */
const linesOf = (text: string): string[] => text.split('\0').slice(0, -1)

/** In any order. */
const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && others.every((text) => some.includes(text))
