import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeCommandRunner } from '../../../conformance/command-runner.ts'
import type { Command, CommandResult, CommandRunner } from '../command.ts'
import { createSpawnRunner } from '../spawn/spawn-command.ts'
import { createLaunchRunner, type LaunchRunnerOptions } from './launch-command.ts'

describeCommandRunner('of launchers', () => createLaunchRunner({ spawn: createSpawnRunner() }))

const plain: Command = {
  program: '/bin/sh',
  args: ['-c', 'echo "$PPID"'],
  workdir: '/',
  env: {},
  stdin: undefined,
  outputBytes: 10_000,
  outputKeep: 'head',
  killLeftovers: false,
  live: false,
}
const textOf = ({ stdout }: CommandResult): string => Buffer.from(stdout.bytes).toString().trim()
const shell = (text: string): Command => ({ ...plain, args: ['-c', text] })

describe('launchers', () => {
  let folder = ''
  const runners: CommandRunner[] = []
  /** Commands that ran without a launcher, except those that create one. */
  let direct: Command[] = []

  const create = (options: Partial<LaunchRunnerOptions> = {}): CommandRunner => {
    const spawn = createSpawnRunner()
    const counting: CommandRunner = {
      start(command, listener) {
        if (command.args[1]?.includes('mkfifo') !== true) direct.push(command)
        return spawn.start(command, listener)
      },
      close: () => spawn.close(),
    }
    const runner = createLaunchRunner({ spawn: counting, folder, ...options })
    runners.push(runner)
    return runner
  }
  const run = async (runner: CommandRunner, command: Command): Promise<CommandResult> => {
    const started = await runner.start(command)
    if ('problem' in started) throw new Error(started.problem)
    return started.running.ended
  }
  /** The shells that wait for commands. */
  const launchers = (): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${folder}/gatehouse-`)
      } catch {
        return false
      }
    })
  const until = async (holds: () => boolean): Promise<void> => {
    // To read all processes costs more than to wait.
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-launchers-'))
    direct = []
  })
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()))
    expect(launchers()).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('run commands one after the other, without starting other processes', async () => {
    const runner = create()
    const parents = new Set<string>()
    for (let i = 0; i < 20; i++) parents.add(textOf(await run(runner, plain)))
    expect([...parents]).toEqual(launchers())
    expect(direct).toEqual([])
  })

  it('are as many as there are commands at once, up to a limit', async () => {
    const runner = create({ size: 3 })
    const command = shell('echo $PPID; sleep 0.3')
    const parents = await Promise.all(
      Array.from({ length: 5 }, async () => textOf(await run(runner, command))),
    )
    expect(parents.filter((pid) => launchers().includes(pid))).toHaveLength(3)
    expect(direct).toHaveLength(2)
  })

  it.each<[string, Partial<Command>]>([
    ['reads', { stdin: new Uint8Array(3) }],
    ['is live', { live: true }],
    ['has its leftovers killed', { killLeftovers: true }],
    ['has a word of two lines', { args: ['-c', 'echo\n'] }],
    ['is long', { args: ['-c', ':', 'x'.repeat(9_000)] }],
    ['has a large environment', { env: { A: 'x'.repeat(9_000) } }],
    ['has a missing folder', { workdir: '/absent' }],
    ['has a missing program', { program: '/absent' }],
  ])('leave a command to a process of its own that %s', async (_, more) => {
    const runner = create()
    await run(runner, plain)
    await runner.start({ ...plain, ...more })
    expect(direct).toEqual([{ ...plain, ...more }])
    await run(runner, plain)
    expect(direct).toHaveLength(1)
  })

  it('restart after a number of commands, with a clean state', async () => {
    const runner = create({ maxRuns: 3 })
    const seen: string[] = []
    for (let i = 0; i < 10; i++) {
      const env = { [`NAME_${i}`]: 'x', PWD: '/x' }
      const result = await run(runner, { ...shell('cat /proc/$PPID/environ; /usr/bin/env'), env })
      seen.push(Buffer.from(result.stdout.bytes).toString().replaceAll('\0', '\n'))
      expect(result.exitCode).toBe(0)
    }
    expect(direct).toEqual([])
    // The first variables that a launcher gets stay in its environment until it restarts.
    expect(seen[0]).toContain('PATH=/usr/bin:/bin\n')
    expect(seen[9]).not.toContain('PATH=')
    expect(seen[9]?.match(/NAME_\d/g)).toEqual(['NAME_9'])
  })

  it('are ended after being idle, and started again', async () => {
    const runner = create({ idleMs: 40 })
    const first = textOf(await run(runner, plain))
    await until(() => launchers().length === 0)
    const second = textOf(await run(runner, plain))
    expect(second).not.toBe(first)
    expect(direct).toEqual([])
  })

  it('are not reused while a leftover process holds them', async () => {
    const runner = create()
    const held = await run(runner, shell('echo $PPID; sleep 20 & echo $!'))
    const [parent = '', left = ''] = textOf(held).split('\n')
    expect(textOf(await run(runner, plain))).not.toBe(parent)
    await until(() => !launchers().includes(parent))
    // It gets an error, because nobody reads its output.
    execFileSync('kill', ['-KILL', left])
  })

  it('are replaced if one is killed while it is idle', async () => {
    const runner = create()
    const pid = textOf(await run(runner, plain))
    process.kill(Number(pid), 'SIGKILL')
    await until(() => !launchers().includes(pid))
    expect(textOf(await run(runner, plain))).toMatch(/^\d+$/)
  })

  it('fail a command whose launcher is killed, and do not run it again', async () => {
    const runner = create()
    await run(runner, plain)
    const started = await runner.start(shell('echo ran >>"$0"; sleep 60; sleep 60'))
    if ('problem' in started) throw new Error(started.problem)
    const [pid] = launchers()
    process.kill(Number(pid), 'SIGKILL')
    await expect(started.running.ended).rejects.toThrow('launcher')
    started.running.signal('SIGKILL')
    expect(direct).toEqual([])
    expect((await run(runner, shell('exit 3'))).exitCode).toBe(3)
  })

  it('leave no command behind that kills its launcher', async () => {
    const runner = create()
    const started = await runner.start(shell('kill -KILL $PPID; sleep 60'))
    if ('problem' in started) throw new Error(started.problem)
    await expect(started.running.ended).rejects.toThrow('launcher')
    expect((await run(runner, shell('exit 3'))).exitCode).toBe(3)
  })

  it('fail a command whose pipes were removed, and are not reused', async () => {
    const runner = create()
    await run(runner, plain)
    for (const name of await readdir(folder)) rmSync(join(folder, name), { recursive: true })
    const started = await runner.start(plain)
    if ('problem' in started) throw new Error(started.problem)
    await expect(started.running.ended).rejects.toThrow('launcher')
    for (let i = 0; i < 5; i++) expect((await run(runner, shell('exit 3'))).exitCode).toBe(3)
    expect(direct).toHaveLength(5)
  })

  it.each<[string, Partial<LaunchRunnerOptions>]>([
    ['the folder for their pipes is missing', { folder: '/absent' }],
    ['their shell is missing', { shell: '/absent' }],
    ['their shell is not a shell', { shell: '/bin/true' }],
    ['their shell changes the environment of commands', { shell: '/bin/bash' }],
    ['their limit is 0', { size: 0 }],
  ])('are not used if %s', async (_, options) => {
    const runner = create(options)
    for (let i = 0; i < 3; i++) expect((await run(runner, shell('exit 3'))).exitCode).toBe(3)
    expect(direct).toHaveLength(3)
    expect(launchers()).toEqual([])
  })

  it('are gone with their folder once the runner is closed, even right after use', async () => {
    const runner = create()
    const commands = Array.from({ length: 10 }, () => run(runner, plain))
    await Promise.all(commands)
    expect(launchers().length).toBeGreaterThan(0)
    await runner.close()
    expect(launchers()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('remove abandoned folders, and no others', async () => {
    const abandoned = join(folder, 'gatehouse-abandoned')
    const [held, other] = [join(folder, 'gatehouse-held'), join(folder, 'gatehouse-other')]
    for (const path of [abandoned, held, other]) await mkdir(path)
    const server = createServer().listen(join(held, 'line'))
    // A killed process leaves the file of its socket behind.
    const text = `require('net').createServer().listen('${abandoned}/line', () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', text])
    expect(await readdir(abandoned)).toEqual(['line'])
    await run(create(), plain)
    const names = await readdir(folder)
    expect(names).not.toContain('gatehouse-abandoned')
    expect(names).toEqual(expect.arrayContaining(['gatehouse-held', 'gatehouse-other']))
    server.close()
  })

  it('are ended and replaced when a signal arrives between commands', async () => {
    const runner = create()
    const pid = textOf(await run(runner, plain))
    await until(() => {
      if (!launchers().includes(pid)) return true
      // A signal before the shell waits for its next command changes nothing.
      process.kill(Number(pid), 'SIGTERM')
      return false
    })
    expect(textOf(await run(runner, plain))).not.toBe(pid)
    expect(direct).toEqual([])
  })

  it('are gone after the last command if the runner was closed before', async () => {
    const runner = create()
    await run(runner, plain)
    const started = await runner.start(shell('sleep 0.2; exit 3'))
    await runner.close()
    if ('problem' in started) throw new Error(started.problem)
    expect((await started.running.ended).exitCode).toBe(3)
    await until(() => launchers().length === 0 && readdirSync(folder).length === 0)
  })
})
