import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Logger } from '../../logger.ts'
import { createManualClock } from '../../testing/index.ts'
import type { Clock } from '../../time/clock.ts'
import { createOutputLog, type OutputLog } from '../board/output-log.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import { createWebhooks } from '../create-webhooks.ts'
import type { CommandRunner } from '../runner/command.ts'
import { createLaunchRunner } from '../runner/launcher/launch-command.ts'
import { createSpawnRunner } from '../runner/spawn/spawn-command.ts'
import { webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'

interface SlowLog {
  readonly clock: Clock
  readonly logger: Logger
  /** Advances the clock and runs due work. */
  pass(ms: number): void
  /** The log lines about output, in order; a number is a count of dropped bytes. */
  readonly lines: (string | number)[]
  readonly messages: string[]
}

/** A log in which each line takes `lineMs`. Nothing else advances the clock. */
function createSlowLog(lineMs: number): SlowLog {
  const manual = createManualClock()
  const lines: (string | number)[] = []
  const messages: string[] = []
  let spentMs = 0
  const put = (fields: object, message: string): void => {
    messages.push(message)
    const { line, bytes } = fields as { line?: string; bytes?: number }
    if (line !== undefined) lines.push(line)
    else if (bytes !== undefined) lines.push(bytes)
    spentMs += lineMs
  }
  const clock = { ...manual, monotonic: () => manual.monotonic() + spentMs }
  const logger = { debug: () => {}, info: put, warn: put, error: put }
  return { clock, logger, pass: manual.advance, lines, messages }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A run with logged output, and a count of its dropped bytes. */
function openRun(log: OutputLog, run_id = 'run_1') {
  const run = { dropped: 0 }
  const onDropped = (bytes: number): void => {
    run.dropped += bytes
  }
  const { add } = log.open({ run_id, webhook: 'job', onDropped })
  return Object.assign(run, { write: (text: string) => add('stdout', bytesOf(text)) })
}

const piece = `${'x'.repeat(1_023)}\n`.repeat(64)

describe('the output log', () => {
  it('logs lines at once while it is fast, and the end of a run after them', () => {
    const { lines, messages, ...slow } = createSlowLog(0)
    const log = createOutputLog(slow)
    openRun(log).write('one\ntw')
    expect(lines).toEqual(['one'])
    log.end('run_1', () => messages.push('ended'))
    expect(lines).toEqual(['one', 'tw'])
    expect(messages).toEqual(['output', 'output', 'ended'])
  })

  it('takes a millisecond, then rests four times as long, for all runs together', () => {
    const { lines, pass, ...slow } = createSlowLog(0.25)
    const log = createOutputLog(slow)
    const runs = ['run_1', 'run_2'].map((id) => openRun(log, id))
    for (const run of runs) run.write('a\n'.repeat(10))
    expect(lines).toHaveLength(4)
    pass(4)
    expect(lines).toHaveLength(4)
    pass(1)
    expect(lines).toHaveLength(8)
    for (const run of runs) run.write('a\n')
    expect(lines).toHaveLength(8)
    pass(1_000)
    expect(lines).toHaveLength(22)
  })

  it('takes no more of a log that writes lines at the end of a turn', async () => {
    const { lines, clock, pass, logger } = createSlowLog(0)
    let lateMs = 0
    let isWriting = false
    const slowly = { ...clock, monotonic: () => clock.monotonic() + lateMs }
    const info = (fields: object, message: string): void => {
      logger.info(fields, message)
      if (isWriting) return
      isWriting = true
      setImmediate(() => {
        isWriting = false
        lateMs += 20
      })
    }
    const run = openRun(createOutputLog({ clock: slowly, logger: { ...logger, info } }))
    run.write(piece)
    expect(lines).toHaveLength(17)
    await new Promise((resolve) => setImmediate(resolve))
    pass(100)
    expect(lines).toHaveLength(17)
    pass(10)
    expect(lines).toHaveLength(34)
  })

  it('drops output when full, until half is free, and reports how much', async () => {
    const { lines, ...slow } = createSlowLog(0.25)
    const log = createOutputLog(slow)
    const run = openRun(log)
    let written = 0
    for (let i = 0; i < 40; i++) {
      run.write(piece)
      written += piece.length
    }
    expect(run.dropped).toBeGreaterThan(piece.length)
    const droppedAtFirst = run.dropped
    // One line is free, which is not enough.
    slow.pass(2)
    run.write('a\n')
    expect(run.dropped).toBe(droppedAtFirst + 2)
    while (lines.length < 600) slow.pass(5)
    run.write('later\n')
    log.end('run_1', () => lines.push('ended'))
    await log.finish()
    expect(lines.slice(-3)).toEqual([droppedAtFirst + 2, 'later', 'ended'])
    const logged = lines
      .slice(0, -3)
      .reduce((sum: number, line) => sum + String(line).length + 1, 0)
    expect(logged + run.dropped).toBe(written + 2)
  })

  it('holds a bounded number of pieces, and ends a line before a gap', async () => {
    const { lines, ...slow } = createSlowLog(1)
    const log = createOutputLog(slow)
    const run = openRun(log)
    run.write('first\n')
    for (let i = 0; i < 3_000; i++) run.write('x')
    log.end('run_1', () => {})
    await log.finish()
    expect(lines).toEqual(['first', 'x'.repeat(3_000 - run.dropped), run.dropped])
    expect(run.dropped).toBeGreaterThan(1_000)
  })

  it('drops the end of a piece that exceeds the whole limit', async () => {
    const { lines, ...slow } = createSlowLog(0)
    const log = createOutputLog(slow)
    const run = openRun(log)
    run.write('x'.repeat(3_000_000))
    await log.finish()
    run.write('next\n')
    log.end('run_1', () => {})
    await log.finish()
    expect(lines.at(-2)).toBe(run.dropped)
    expect(lines.at(-1)).toBe('next')
    expect(lines.slice(0, -2).join('')).toHaveLength(3_000_000 - run.dropped)
  })
})

const megabytes = 50

describe.each<[string, (spawn: CommandRunner) => CommandRunner]>([
  ['direct', (spawn) => spawn],
  ['launcher', (spawn) => createLaunchRunner({ spawn })],
])('a command of the executor "%s" that writes 50 MB', (_, createRunner) => {
  it('does not wait for the log, which counts dropped bytes', async () => {
    const { lines, messages, clock, logger } = createSlowLog(5)
    const webhooks = createWebhooks({
      clock,
      logger,
      storage: createMemoryStorage(),
      environment: { PATH: '/usr/bin:/bin' },
      runner: createRunner(createSpawnRunner()),
      config: {
        log: { run_output: true },
        webhooks: [
          webhookNamed('job', {
            execute_command: `head -c ${megabytes}000000 /dev/zero | tr '\\0' x`,
            include_output: true,
          }),
        ],
      },
    })
    const run = await triggerWebhook(webhooks, 'job')
    const total = megabytes * 1_000_000
    expect(run).toMatchObject({ status: 'succeeded', exit_code: 0, stdout_bytes: total })
    // The clock stands still: there was time for one line, and the command has ended.
    expect(lines).toHaveLength(1)
    const closed = closeWebhooks(webhooks, { graceMs: 0 })
    let turns = 0
    while (messages.at(-1) !== 'run ended') {
      turns++
      await new Promise((resolve) => setImmediate(resolve))
    }
    await closed
    // Other work runs between any two lines.
    expect(turns).toBeGreaterThanOrEqual(lines.length - 1)
    const logged = lines.filter((line) => typeof line === 'string').join('').length
    const { body } = await webhooks.metrics.expose(null)
    const dropped = /^gatehouse_webhook_log_dropped_bytes_total{id="job"} (\S+)$/m.exec(body)?.[1]
    expect(logged + Number(dropped)).toBe(total)
    expect(lines.filter((line) => typeof line === 'number')).toEqual([Number(dropped)])
  })
})
