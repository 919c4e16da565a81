import { describe, expect, it } from 'vitest'
import { createLogger, type LoggerOptions } from './logger.ts'

function linesOf(options: LoggerOptions): {
  logger: ReturnType<typeof createLogger>
  lines: string[]
} {
  const lines: string[] = []
  const now = () => new Date('2026-11-21T01:24:10.527Z')
  return { logger: createLogger({ now, write: (line) => lines.push(line), ...options }), lines }
}

describe('createLogger()', () => {
  it('writes logfmt with time, level and message first', () => {
    const { logger, lines } = linesOf({})
    logger.info({ address: '127.0.0.1:9093', count: 3 }, 'listening')
    expect(lines).toEqual([
      'ts=2026-11-21T01:24:10.527Z level=info msg=listening address=127.0.0.1:9093 count=3\n',
    ])
  })

  it('quotes a value with a blank, an equals sign, a quote or a newline, so that an entry stays one line', () => {
    const { logger, lines } = linesOf({})
    logger.warn({ a: 'b c', d: 'e=f', g: 'h"i', j: 'k\nl', m: '' }, 'two words')
    expect(lines).toEqual([
      'ts=2026-11-21T01:24:10.527Z level=warn msg="two words" a="b c" d="e=f" g="h\\"i" j="k\\nl" m=""\n',
    ])
  })

  it('writes an error as its message and its causes and leaves out undefined fields', () => {
    const { logger, lines } = linesOf({})
    logger.error({ error: new Error('disk full'), cause: undefined }, 'failed')
    expect(lines).toEqual([
      'ts=2026-11-21T01:24:10.527Z level=error msg=failed error="disk full"\n',
    ])
  })

  it('writes one JSON object per line if configured', () => {
    const { logger, lines } = linesOf({ format: 'json' })
    logger.error({ error: new Error('disk full'), list: [1, 2] }, 'failed')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        ts: '2026-11-21T01:24:10.527Z',
        level: 'error',
        msg: 'failed',
        error: 'disk full',
        list: [1, 2],
      },
    ])
  })

  it('drops lines below its level', () => {
    const { logger, lines } = linesOf({ level: 'warn' })
    logger.debug({}, 'a')
    logger.info({}, 'b')
    logger.warn({}, 'c')
    logger.error({}, 'd')
    expect(lines.map((line) => line.match(/msg=(\w)/)?.[1])).toEqual(['c', 'd'])
  })
})
