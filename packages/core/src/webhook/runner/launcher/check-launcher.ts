import type { Command } from '../command.ts'
import type { Launcher } from './launcher.ts'

/** Characters with a meaning in shells. */
const awkward = ' -n $(id) `id` "$HOME" \'\\ \\n * ~ # ; & | < > é\u0081\u{1f600} '

/** Prints its words and its environment. */
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

/** Is killed by a signal, which shells report. */
const dies: Command = { ...shows, program: '/bin/sh', args: ['-c', 'kill -KILL $$'] }

/**
 * Whether the shell of a launcher gives commands exactly the given environment and nothing else; some shells set variables of
 * their own. Call it with the first launcher.
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
