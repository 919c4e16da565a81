import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isWide } from '../../../../../test-support/lane.ts'
import type {
  Command,
  CommandListener,
  CommandResult,
  CommandRunner,
  RunningCommand,
} from './command.ts'
import { createLaunchRunner } from './launcher/launch-command.ts'
import { readProcessTable } from './process/process-table.ts'
import { createSpawnRunner } from './spawn/spawn-command.ts'

const plain: Command = {
  program: '/bin/sh',
  args: ['-c', ':'],
  workdir: '/',
  env: { PATH: '/usr/bin:/bin' },
  stdin: undefined,
  outputBytes: 100_000,
  outputKeep: 'head',
  killLeftovers: false,
  live: false,
}
const shell = (text: string, ...words: string[]): Command => ({
  ...plain,
  args: ['-c', text, 'sh', ...words],
})
const textOf = ({ stdout }: CommandResult): string => Buffer.from(stdout.bytes).toString()

/** The descriptors of a process, from `/proc`. */
function descriptorsOf(process: string): Map<string, string> {
  const folder = `/proc/${process}/fd`
  const found = new Map<string, string>()
  for (const fd of readdirSync(folder)) {
    try {
      found.set(fd, readlinkSync(`${folder}/${fd}`))
    } catch {
      // The one that read the folder.
    }
  }
  return found
}

/** Descriptors that the parent of this process left open for all children. */
function inherited(): string[] {
  const closeOnExec = 0o2000000
  return [...descriptorsOf('self')].flatMap(([fd, link]) => {
    const flags = /flags:\t(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    const isKept = (Number.parseInt(flags ?? '0', 8) & closeOnExec) === 0
    return isKept && Number(fd) > 2 ? [link] : []
  })
}

/** Child processes that this one has not reaped yet. */
const children = (): string[] =>
  readProcessTable().flatMap(({ pid, parent }) => {
    if (parent !== process.pid) return []
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')]
    } catch {
      return []
    }
  })

const isThere = (pid: number): boolean =>
  readProcessTable().some((one) => one.pid === pid && !one.hasEnded)

const until = async (holds: () => boolean): Promise<void> => {
  // To read all processes costs more than to wait.
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** The folder of these launchers. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-chaos-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runners: Readonly<Record<string, () => CommandRunner>> = {
  processes: createSpawnRunner,
  launchers: () => createLaunchRunner({ spawn: createSpawnRunner(), folder }),
}

describe.each(Object.entries(runners))('%s among hostile commands', (_, create) => {
  let runner: CommandRunner = create()
  beforeEach(() => {
    runner = create()
  })
  afterEach(() => runner.close())

  const start = async (command: Command, listener?: CommandListener): Promise<RunningCommand> => {
    const started = await runner.start(command, listener)
    if ('problem' in started) throw new Error(started.problem)
    return started.running
  }
  const run = async (command: Command): Promise<CommandResult> => (await start(command)).ended
  /** Starts a command, and returns its output once it has this many lines. */
  const startFor = async (command: Command, count: number) => {
    let written = ''
    let settle = (_: string[]): void => {}
    const lines = new Promise<string[]>((resolve) => {
      settle = resolve
    })
    const running = await start(command, {
      onOutput(_, chunk) {
        written += Buffer.from(chunk).toString()
        const complete = written.split('\n').slice(0, -1)
        if (complete.length >= count) settle(complete)
      },
    })
    return { running, lines: await lines }
  }

  it('give a command three descriptors, whatever else is open', async () => {
    const place = await mkdtemp(join(tmpdir(), 'gatehouse-chaos-'))
    const file = await open(join(place, 'secret'), 'w')
    const server = createServer().listen(0, '127.0.0.1')
    const others = Array.from({ length: 20 }, () => start(shell('sleep 0.5')))
    await Promise.all(others)
    const list = shell('exec ls -l /proc/self/fd')
    for (let i = 0; i < 3; i++) {
      const links = textOf(await run(list)).matchAll(/ (\d+) -> (.*)$/gm)
      const found = new Map([...links].map(([, fd = '', link = '']) => [fd, link]))
      expect([...found.keys()].slice(0, 3)).toEqual(['0', '1', '2'])
      expect(found.get('0')).toBe('/dev/null')
      const more = [...found].filter(([fd, link]) => Number(fd) > 2 && !link.endsWith('/fd'))
      expect(inherited()).toEqual(expect.arrayContaining(more.map(([, link]) => link)))
    }
    await Promise.all((await Promise.all(others)).map(({ ended }) => ended))
    await file.close()
    server.close()
    await rm(place, { recursive: true })
  })

  it('give a command no variable of this process', async () => {
    // Node passes on the second one by itself.
    vi.stubEnv('GATEHOUSE_CHAOS_SECRET', 'secret')
    vi.stubEnv('NODE_V8_COVERAGE', '/absent')
    const { stdout } = await run({ ...plain, program: '/usr/bin/env', args: [], env: {} })
    vi.unstubAllEnvs()
    expect(stdout.total).toBe(0)
  })

  it('give a command default signal handling, and a session of its own', async () => {
    const status = textOf(await run(shell('cat /proc/self/status')))
    for (const name of ['SigBlk', 'SigIgn', 'SigCgt']) {
      expect(status).toMatch(new RegExp(`${name}:\\t0+\\n`))
    }
    const own = readProcessTable().find(({ pid }) => pid === process.pid)
    const { lines, running } = await startFor(shell('echo $$; exec sleep 60'), 1)
    const theirs = readProcessTable().find(({ pid }) => pid === Number(lines[0]))
    expect(theirs?.session).not.toBe(own?.session)
    expect(theirs?.group).not.toBe(own?.group)
    running.signal('SIGKILL')
    await running.ended
  })

  it('end a command that started another session', async () => {
    const text = 'setsid sleep 60 & echo $!; echo $$; wait'
    const { running, lines } = await startFor(shell(text), 2)
    running.signal('SIGTERM')
    await running.ended
    const [inner = 0, outer = 0] = lines.map(Number)
    expect(isThere(outer)).toBe(false)
    // It left the group of the command, and is found by its parent.
    await until(() => !isThere(inner))
  })

  it('end a fork bomb at any moment', async () => {
    const text =
      'trap "" TERM; grow() { sh -c "sleep 61.5" & [ "$1" = 0 ] || (grow $(($1 - 1))) & (sleep 61.5); }; echo; grow 8'
    for (let i = 0; i < 3; i++) {
      const { running } = await startFor(shell(text), 1)
      running.signal('SIGTERM')
      running.signal('SIGKILL')
      expect((await running.ended).exitCode).toBe(137)
    }
    await until(() => !anybodyRuns('sleep 61.5'))
  })

  it('keep no more of a flood than the limit', async () => {
    const text = 'yes out | head -c 20000000 & yes err | head -c 20000000 >&2 & wait'
    const before = process.memoryUsage.rss()
    const results = await Promise.all(
      Array.from({ length: 4 }, () => run({ ...shell(text), outputBytes: 1_000 })),
    )
    for (const { stdout, stderr } of results) {
      expect([stdout.bytes.length, stderr.bytes.length]).toEqual([1_000, 1_000])
      expect([stdout.total, stderr.total]).toEqual([20_000_000, 20_000_000])
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000)
  })

  it('keep this process responsive during a flood', async () => {
    const running = await start({ ...shell('exec yes'), outputBytes: 10 })
    let turns = 0
    for (; turns < 200; turns++) await new Promise((resolve) => setTimeout(resolve, 0))
    expect(turns).toBe(200)
    running.signal('SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
  })

  it('give leftovers that still write an error, because nobody reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chaos-'))
    const text = '(trap "" PIPE; sleep 0.6; echo late || echo refused >"$1/told") & exit 0'
    await run(shell(text, folder))
    await until(() => readdirSync(folder).includes('told'))
    await rm(folder, { recursive: true })
  })

  it('handle a command that ends during its last signal, in any order', async () => {
    const running = await Promise.all(
      Array.from({ length: 30 }, (_, i) => start(shell(`sleep 0.0${i % 10}`))),
    )
    for (const [i, one] of running.entries()) {
      setTimeout(() => one.signal(i % 2 === 0 ? 'SIGTERM' : 'SIGKILL'), i)
    }
    for (const { ended } of running) {
      const { exitCode } = await ended
      expect([0, 143, 137]).toContain(exitCode)
    }
    expect((await run(shell('exit 3'))).exitCode).toBe(3)
  })

  it('handle a folder that is removed while a command runs in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chaos-'))
    await run({ ...shell('exit 0'), workdir: folder })
    const { exitCode } = await run({ ...shell('rmdir "$1"; exit 3', folder), workdir: folder })
    expect(exitCode).toBe(3)
    expect(await runner.start({ ...plain, workdir: folder })).toEqual({
      problem: expect.stringContaining('workdir'),
    })
    expect((await run(shell('exit 4'))).exitCode).toBe(4)
  })

  it('leave no process, descriptor or memory behind after many commands', async () => {
    const round = async (count: number): Promise<void> => {
      let left = count
      const lane = async (): Promise<void> => {
        while (left-- > 0) {
          const { stdout } = await run(shell('echo "$1" >&2; echo "$1"', 'x'.repeat(100)))
          expect(stdout.total).toBe(101)
        }
      }
      await Promise.all(Array.from({ length: 8 }, lane))
    }
    await round(isWide ? 200 : 100)
    const descriptors = descriptorsOf('self').size
    const processes = children().length
    const memory = process.memoryUsage().heapUsed
    await round(isWide ? 400 : 200)
    expect(descriptorsOf('self').size).toBeLessThan(descriptors + 20)
    expect(children().length).toBeLessThan(processes + 20)
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(60_000_000)
    await runner.close()
    expect(children().filter((line) => line.includes(folder))).toEqual([])
  })
})

/** Whether a process with these words exists. */
function anybodyRuns(words: string): boolean {
  return readProcessTable().some(({ pid, hasEnded }) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return !hasEnded && line === words
    } catch {
      return false
    }
  })
}
