import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import type { CommandListener, CommandResult } from '../runner/command.ts'
import { type SuperviseOptions, superviseCommand } from './supervise-command.ts'

const nothing = { bytes: new Uint8Array(), total: 0 }
const result = (facts: Partial<CommandResult> = {}): CommandResult => ({
  exitCode: 0,
  signal: null,
  stdout: nothing,
  stderr: nothing,
  ...facts,
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A command whose start and end the test controls; its signals are recorded with their times. */
function createFixture(webhook: Partial<SuperviseOptions['webhook']> = {}) {
  const clock = createManualClock(0)
  const signals: string[] = []
  const problems: string[] = []
  let listener: CommandListener = {}
  let resolveStart: (result: Awaited<ReturnType<SuperviseOptions['start']>>) => void = () => {}
  let resolveEnd: (result: CommandResult) => void = () => {}
  let rejectEnd: (error: unknown) => void = () => {}
  const ended = new Promise<CommandResult>((resolve, reject) => {
    resolveEnd = resolve
    rejectEnd = reject
  })
  const command = superviseCommand({
    clock,
    webhook: { timeout: 1_000, kill_grace: 100, on_output_limit: 'truncate', ...webhook },
    onOutput: () => {},
    onProblem: (problem) => problems.push(problem),
    start: (given) => {
      listener = given
      return new Promise((resolve) => {
        resolveStart = resolve
      })
    },
  })
  return {
    clock,
    command,
    signals,
    problems,
    listener: () => listener,
    async start() {
      const running = {
        ended,
        signal: (name: string) => void signals.push(`${name} ${clock.now()}`),
      }
      resolveStart({ running })
      await command.started
      await settled()
    },
    async refuse(problem: string) {
      resolveStart({ problem })
      await command.started
    },
    end: (facts: Partial<CommandResult> = {}) => resolveEnd(result(facts)),
    vanish: (error: unknown) => rejectEnd(error),
  }
}

describe('a command that ends by itself', () => {
  it('leaves no timer, and gets no signal', async () => {
    const { clock, command, start, end, signals } = createFixture()
    await start()
    clock.advance(999)
    end({ exitCode: 3 })
    expect(await command.outcome).toEqual({
      kind: 'ended',
      result: result({ exitCode: 3 }),
      cause: undefined,
    })
    expect(clock.pendingTimers).toBe(0)
    command.end('canceled')
    expect([signals, clock.pendingTimers]).toEqual([[], 0])
  })

  it('is distinguished from one that vanished and one that could not be started', async () => {
    const gone = createFixture()
    await gone.start()
    gone.vanish(new Error('its launcher is gone'))
    expect(await gone.command.outcome).toEqual({ kind: 'vanished', cause: undefined })
    expect(gone.problems).toEqual(['its launcher is gone'])
    expect(gone.clock.pendingTimers).toBe(0)

    const absent = createFixture()
    await absent.refuse('no such program')
    expect(await absent.command.started).toBe(false)
    expect(await absent.command.outcome).toEqual({
      kind: 'not_started',
      problem: 'no such program',
    })
    expect(absent.problems).toEqual(['no such program'])
  })
})

describe('a command that takes too long', () => {
  it('gets SIGTERM, then SIGKILL, counted from its start', async () => {
    const { clock, command, start, end, signals } = createFixture()
    clock.advance(5_000)
    await start()
    clock.advance(1_000)
    expect(signals).toEqual(['SIGTERM 6000'])
    clock.advance(100)
    expect(signals).toEqual(['SIGTERM 6000', 'SIGKILL 6100'])
    end({ exitCode: 137, signal: 'SIGKILL' })
    expect(await command.outcome).toMatchObject({ kind: 'ended', cause: 'timed_out' })
    expect(clock.pendingTimers).toBe(0)
  })

  it('gets no second signal if the first was enough', async () => {
    const { clock, command, start, end, signals } = createFixture()
    await start()
    clock.advance(1_000)
    end({ exitCode: 0 })
    expect(await command.outcome).toMatchObject({ cause: 'timed_out' })
    clock.advance(1_000)
    expect(signals).toEqual(['SIGTERM 1000'])
  })

  it('may run forever without a timeout', async () => {
    const { clock, start } = createFixture({ timeout: undefined })
    await start()
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('a command that is ended', () => {
  it('keeps its first cause, and gets each signal once', async () => {
    const { clock, command, start, end, signals } = createFixture()
    await start()
    command.end('disconnect')
    clock.advance(50)
    command.end('canceled')
    clock.advance(2_000)
    end()
    expect(await command.outcome).toMatchObject({ cause: 'disconnect' })
    expect(signals).toEqual(['SIGTERM 0', 'SIGKILL 100'])
  })

  it('can be killed sooner, not later', async () => {
    const { clock, command, start, signals } = createFixture()
    await start()
    command.end('canceled', 50)
    command.end('shutdown', 80)
    clock.advance(20)
    command.end('shutdown', 10)
    clock.advance(10)
    expect(signals).toEqual(['SIGTERM 0', 'SIGKILL 30'])
  })

  it('is killed no later because the clock was set back', async () => {
    const { clock, command, start, signals } = createFixture({ kill_grace: 100 })
    await start()
    command.end('canceled')
    clock.advance(50)
    clock.setWallClock(-3_600_000)
    command.end('shutdown')
    clock.advance(50)
    expect(signals).toEqual(['SIGTERM 0', 'SIGKILL -3599950'])
  })

  it('is killed at once with a grace of 0', async () => {
    const { clock, command, start, signals } = createFixture()
    await start()
    command.end('shutdown', 0)
    expect(signals).toEqual(['SIGTERM 0', 'SIGKILL 0'])
    expect(clock.pendingTimers).toBe(1) // its timeout: it has not ended yet
  })

  it('gets its signals as soon as it has started', async () => {
    const { clock, command, start, end, signals } = createFixture()
    command.end('canceled')
    clock.advance(60)
    await start()
    expect(signals).toEqual(['SIGTERM 60'])
    clock.advance(40)
    expect(signals).toEqual(['SIGTERM 60', 'SIGKILL 100'])
    end({ exitCode: 143, signal: 'SIGTERM' })
    expect(await command.outcome).toMatchObject({ kind: 'ended', cause: 'canceled' })
  })

  it('was dropped if it also could not be started', async () => {
    const { command, refuse } = createFixture()
    command.end('shutdown')
    await refuse('no such program')
    expect(await command.outcome).toEqual({ kind: 'dropped', cause: 'shutdown' })
  })
})

describe('a command that writes more than is kept', () => {
  it('is ended if its webhook says so', async () => {
    const { command, start, listener, end, signals } = createFixture({ on_output_limit: 'kill' })
    await start()
    listener().onOverflow?.('stdout')
    listener().onOverflow?.('stderr')
    expect(signals).toEqual(['SIGTERM 0'])
    end({ exitCode: 143, signal: 'SIGTERM' })
    expect(await command.outcome).toMatchObject({ cause: 'output_limit' })
  })

  it('continues otherwise', async () => {
    const { start, listener } = createFixture()
    await start()
    expect(listener().onOverflow).toBeUndefined()
  })
})
