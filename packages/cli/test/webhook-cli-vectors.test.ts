import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { runHere } from '../src/main.fixture.ts'
import { copyProgram, type ProgramCopy } from './support/program-copy.ts'
import { temporaryFolder } from './support/server.ts'

interface CliVector {
  readonly name: string
  readonly group: string
  readonly files: Readonly<Record<string, string>>
  readonly args: readonly string[]
  readonly signal?: NodeJS.Signals
  readonly expect: {
    readonly exit_code?: number
    readonly starts?: boolean
    readonly stdout_matches?: string
    readonly stderr_matches?: string
  }
}

const file = new URL('../../core/vectors/webhook.json', import.meta.url)
const { cases }: { cases: readonly CliVector[] } = JSON.parse(readFileSync(file, 'utf8'))
const vectors = cases.filter(({ group }) => group === 'cli')
const readyLine = /^listening on http:\/\/\S+:\d+$/m

/** Whether it may run in this process: it has a file and serves nothing. In the wide lane none does. */
const mayRunHere = ({ args, expect: { starts, exit_code } }: CliVector): boolean =>
  !isWide && args.length > 1 && starts !== true && exit_code === 2

/** A started program and its output so far. */
interface Started {
  readonly child: ChildProcess
  readonly printed: { stdout: string; stderr: string }
  readonly ended: Promise<number | null>
}

function start(main: string, args: readonly string[], cwd: string): Started {
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  }
  const ended = new Promise<number | null>((done) => child.once('close', done))
  return { child, printed, ended }
}

interface Outcome {
  readonly starts: boolean
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built program, and ends it once it listens. */
async function outcomeOf(
  main: string,
  args: readonly string[],
  cwd: string,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<Outcome> {
  const started = start(main, args, cwd)
  const starts = await whetherItStarts(started)
  started.child.kill(signal)
  return { starts, exitCode: await started.ended, ...started.printed }
}

/** Settles once the program listens, or has exited without listening. */
async function whetherItStarts({ child, printed, ended }: Started): Promise<boolean> {
  const started = new Promise<true>((done) => {
    child.stderr?.on('data', () => readyLine.test(printed.stderr) && done(true))
  })
  return Promise.race([started, ended.then(() => readyLine.test(printed.stderr))])
}

describe('the vectors of the command line', () => {
  let root = ''
  let taken: Server
  let takenPort = 0
  let program: ProgramCopy

  beforeAll(async () => {
    root = await temporaryFolder()
    await mkdir(join(root, 'copy'))
    program = await copyProgram(join(root, 'copy'))
    taken = createServer()
    await new Promise<void>((done) => taken.listen(0, done))
    const address = taken.address()
    takenPort = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(async () => {
    await new Promise((done) => taken.close(done))
    await rm(root, { recursive: true, force: true })
  })

  it('exist', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(17)
  })

  it.each(vectors.map((vector, index) => [vector.name, vector, index] as const))(
    '%s',
    async (_, vector, index) => {
      const dir = join(root, `${index}`)
      await mkdir(dir)
      const filled = fill(dir)
      const paths = Object.keys(vector.files).map((path) => resolve(dir, filled(path)))
      for (const [place, text] of Object.values(vector.files).entries()) {
        const target = paths[place] ?? ''
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, filled(text))
      }
      onTestFinished(async () => {
        // Other vectors have no file beside the program.
        for (const path of paths) await rm(path)
      })
      const args = vector.args.map(filled)
      const outcome = mayRunHere(vector)
        ? { starts: false, ...(await runHere(args, dir)) }
        : await outcomeOf(program.main, args, dir, vector.signal)

      const { starts, exitCode, stdout, stderr } = outcome
      const wanted = vector.expect
      expect({ starts, stderr }).toEqual({ starts: wanted.starts ?? false, stderr })
      if (wanted.exit_code !== undefined) expect(exitCode).toBe(wanted.exit_code)
      expect(stdout).toMatch(new RegExp(filled(wanted.stdout_matches ?? '')))
      expect(stderr).toMatch(new RegExp(filled(wanted.stderr_matches ?? '')))
      expect(stderr).not.toMatch(/^ {4}at /m)
    },
  )

  function fill(dir: string): (text: string) => string {
    return (text) =>
      text
        .replaceAll('{{dir}}', dir)
        .replaceAll('{{executable_dir}}', program.folder)
        .replaceAll('{{taken_port}}', String(takenPort))
  }
})
