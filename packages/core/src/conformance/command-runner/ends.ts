import { expect, it } from 'vitest'
import { systemClock } from '../../time/clock.ts'
import {
  type CommandRunnerFactory,
  type RunnerUnderTest,
  shell,
  textOf,
  useRunner,
  waitForOutput,
} from './harness.ts'

/** Tests how commands end, by themselves and by signals. */
export function describeEnds(create: CommandRunnerFactory): void {
  const test = useRunner(create)
  const env = { PATH: '/usr/bin:/bin' }

  it('returns the exit status of a command', async () => {
    for (const status of [0, 1, 2, 3, 126, 127, 128, 160, 200, 254, 255]) {
      const { exitCode, signal } = await test.sh(`exit ${status}`)
      expect([exitCode, signal]).toEqual([status, null])
    }
  })

  it.each([
    ['HUP', 129],
    ['INT', 130],
    ['QUIT', 131],
    ['ABRT', 134],
    ['KILL', 137],
    ['USR1', 138],
    ['SEGV', 139],
    ['PIPE', 141],
    ['ALRM', 142],
    ['TERM', 143],
  ])(
    'reports the end of a command by SIG%s, and adds nothing to its output',
    async (name, status) => {
      const text = `ulimit -c 0; echo out; echo err >&2; kill -${name} $$; sleep 5`
      const { exitCode, signal, stdout, stderr } = await test.sh(text)
      expect({ exitCode, signal, stdout, stderr }).toEqual({
        exitCode: status,
        signal: `SIG${name}`,
        stdout: 'out\n',
        stderr: 'err\n',
      })
      expect((await test.sh('echo on >&2')).stderr).toBe('on\n')
    },
  )

  it('adds nothing to a truncated output either', async () => {
    const text = 'printf 1234567890 >&2; kill -TERM $$'
    for (const outputKeep of ['head', 'tail'] as const) {
      const { stderr } = await test.run({ ...shell(text), outputBytes: 12, outputKeep })
      expect([textOf(stderr.bytes), stderr.total]).toEqual(['1234567890', 10])
      const less = await test.run({ ...shell(text), outputBytes: 3, outputKeep })
      expect(less.stderr.total).toBe(10)
      expect(less.stderr.bytes.length).toBeLessThanOrEqual(3)
    }
  })

  it('ends a command with all its processes', async () => {
    const text = 'sh -c "sleep 60 & echo \\$!; wait" & echo $$ $!; wait'
    const { running, pids } = await startFamily(test, text, 3)
    running.signal('SIGTERM')
    const { exitCode, signal } = await running.ended
    expect([exitCode, signal]).toEqual([143, 'SIGTERM'])
    await expectGone(test, pids)
  })

  it('ends orphaned processes too', async () => {
    const text = 'echo $$; sh -c "sleep 60 & sleep 60 & echo \\$!"; sleep 60'
    const { running, pids } = await startFamily(test, text, 2)
    running.signal('SIGTERM')
    await running.ended
    await expectGone(test, pids)
  })

  it.each([
    ['has started a session', 'setsid sleep 60 & echo $! $$; wait'],
    ['is a daemon', '(setsid sh -c "sleep 60 & echo \\$! $$" &); sleep 60'],
    [
      'is a daemon that ignores SIGTERM',
      '(setsid sh -c "trap "" TERM; echo \\$\\$ $$; sleep 60; sleep 60" &); sleep 60',
    ],
  ])('ends, with the command of a run, a process that %s', async (_, text) => {
    const { running, pids } = await startFamily(test, text, 2, {
      GATEHOUSE_RUN_ID: 'run_0000000000000000000000000a',
    })
    running.signal('SIGTERM')
    await running.ended
    await expectGone(test, pids)
  })

  it('kills a process in its own session too if leftovers are to be killed', async () => {
    const text = '(setsid sh -c "echo \\$\\$; exec sleep 60 >/dev/null 2>&1" &); sleep 0.3'
    const env = { PATH: '/usr/bin:/bin', GATEHOUSE_RUN_ID: 'run_0000000000000000000000000b' }
    const { stdout } = await test.run({ ...shell(text), env, killLeftovers: true })
    await expectGone(test, textOf(stdout.bytes).trim().split('\n'))
  })

  it('kills processes that ignore SIGTERM, and their children', async () => {
    const text =
      'trap "" TERM; sh -c "echo \\$\\$; sleep 60; sleep 60" & echo $$; sleep 60; sleep 60; wait'
    const { running, pids } = await startFamily(test, text, 2)
    running.signal('SIGTERM')
    await test.sh('sleep 0.1')
    expect(await alive(test, pids)).toEqual(pids)
    running.signal('SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
    await expectGone(test, pids)
  })

  it('kills a command that keeps starting processes', async () => {
    const text =
      'trap "" TERM; echo $$; while :; do sh -c "sleep 0.01; sleep 60" & sleep 0.005; done'
    const { running } = await startFamily(test, text, 1)
    await test.sh('sleep 0.2')
    running.signal('SIGKILL')
    expect((await running.ended).exitCode).toBe(137)
  })

  it('kills children that ignore the signal that ended their leader', async () => {
    const text = 'sh -c "trap \'\' TERM; echo \\$\\$; sleep 60; sleep 60" & echo $$; wait'
    const { running, pids } = await startFamily(test, text, 2)
    running.signal('SIGTERM')
    expect((await running.ended).signal).toBe('SIGTERM')
    await expectGone(test, pids)
  })

  it('lets a command end by itself after a signal', async () => {
    const text = 'trap "echo bye; exit 9" TERM; echo ready; while :; do sleep 0.02; done'
    const { listener, seen } = waitForOutput('ready')
    const running = await test.start({ ...shell(text), env }, listener)
    await seen
    running.signal('SIGTERM')
    const { exitCode, signal, stdout } = await running.ended
    expect([exitCode, signal, textOf(stdout.bytes)]).toEqual([9, null, 'ready\nbye\n'])
  })

  it('signals a command that has just started', async () => {
    for (let i = 0; i < 20; i++) {
      const name = i % 2 === 0 ? 'SIGTERM' : 'SIGKILL'
      const running = await test.start({ program: '/bin/sleep', args: ['60'] })
      running.signal(name)
      expect((await running.ended).signal).toBe(name)
    }
  })

  it('ignores a signal after a command has ended', async () => {
    const running = await test.start(shell('exit 3'))
    const result = await running.ended
    running.signal('SIGTERM')
    running.signal('SIGKILL')
    expect(await running.ended).toBe(result)
    expect((await test.sh('sleep 0.1; echo on')).stdout).toBe('on\n')
  })

  it('signals no other command', async () => {
    const other = await test.start({ ...shell('sleep 0.6; echo done'), env })
    const running = await test.start({ program: '/bin/sleep', args: ['60'] })
    running.signal('SIGKILL')
    await running.ended
    expect(textOf((await other.ended).stdout.bytes)).toBe('done\n')
  })

  it('does not touch processes left behind by an earlier command', async () => {
    const { stdout } = await test.sh('sleep 60 >/dev/null 2>&1 & echo $!')
    const pid = stdout.trim()
    for (const name of ['SIGTERM', 'SIGKILL'] as const) {
      const { running } = await startFamily(test, 'echo $$; sleep 60', 1)
      running.signal(name)
      await running.ended
    }
    expect(await alive(test, [pid])).toEqual([pid])
    await test.sh('kill -KILL "$1"', pid)
  })

  it('kills leftover processes on request', async () => {
    const text = 'sleep 60 & echo $!; sleep 60 >/dev/null 2>&1 & echo $!'
    const begin = systemClock.now()
    const { stdout, exitCode } = await test.run({ ...shell(text), env, killLeftovers: true })
    expect(exitCode).toBe(0)
    expect(systemClock.now() - begin).toBeLessThan(2_000)
    await expectGone(test, textOf(stdout.bytes).trim().split('\n'))
  })

  it('goes on after a command that signals its whole group', async () => {
    for (const name of ['TERM', 'INT', 'HUP', 'USR1']) {
      const { exitCode } = await test.sh(`trap "" ${name}; kill -${name} 0; exit 5`)
      expect(exitCode).toBe(5)
      expect((await test.sh(`kill -${name} 0; sleep 5`)).signal).toBe(`SIG${name}`)
      expect((await test.sh('echo on')).stdout).toBe('on\n')
    }
  })

  it('goes on after a command that stops itself and is killed', async () => {
    const { listener, seen } = waitForOutput('ready')
    const running = await test.start(
      { ...shell('echo ready; kill -STOP $$; echo on'), env },
      listener,
    )
    await seen
    running.signal('SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
    expect((await test.sh('echo on')).stdout).toBe('on\n')
  })
}

/** Starts a command that writes `count` process ids and goes on. */
async function startFamily(
  test: RunnerUnderTest,
  text: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
) {
  let written = ''
  let settle = (_: string[]): void => {}
  const complete = new Promise<string[]>((resolve) => {
    settle = resolve
  })
  const onOutput = (_: string, chunk: Uint8Array): void => {
    written += textOf(chunk)
    const pids = written.match(/\d+(?=\s)/g) ?? []
    if (pids.length >= count) settle(pids)
  }
  const running = await test.start(
    { ...shell(text), env: { PATH: '/usr/bin:/bin', ...env } },
    { onOutput },
  )
  return { running, pids: await complete }
}

/** Ignores zombies: an ended process exists until its parent notices. */
const listAlive = `
for pid; do
  if [ -d /proc/1 ]; then
    read -r line 2>/dev/null </proc/$pid/stat || continue
    state=\${line##*) }
  else
    state=$(ps -o stat= -p "$pid")
  fi
  case $state in ''|Z*|X*) ;; *) echo "$pid" ;; esac
done`

/** The processes that have not ended. */
async function alive(test: RunnerUnderTest, pids: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await test.sh(listAlive, ...pids)
  return stdout.split('\n').filter((pid) => pid !== '')
}

/** Waits, because a killed process may need a moment to disappear. */
async function expectGone(test: RunnerUnderTest, pids: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    if ((await alive(test, pids)).length === 0) return
    await test.sh('sleep 0.05')
  }
  expect(await alive(test, pids)).toEqual([])
}
