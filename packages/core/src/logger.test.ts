import { describe, expect, it } from 'vitest'
import { errorText } from './errors.ts'
import { createConsoleLogger, loggerOf, silentLogger } from './logger.ts'

/** A console that keeps its lines. */
function createRecorder() {
  const lines: string[] = []
  const at =
    (level: string) =>
    (...given: unknown[]) =>
      void lines.push(`${level} ${given.join(' ')}`)
  const target = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { lines, target }
}

describe('createConsoleLogger()', () => {
  it('writes warnings and errors with their fields and causes', () => {
    const { lines, target } = createRecorder()
    const logger = createConsoleLogger({ console: target })
    logger.debug({}, 'no')
    logger.info({}, 'no')
    logger.warn({}, 'http.public_origin: is odd')
    const err = new Error('the message could not be sent', { cause: new Error('SMTP 535 no') })
    logger.error({ err, path: '/a', ms: 5, none: undefined }, 'a request failed')
    expect(lines).toEqual([
      'warn [gatehouse] warn: http.public_origin: is odd',
      'error [gatehouse] error: a request failed err="the message could not be sent: SMTP 535 no" path=/a ms=5',
    ])
  })

  it('writes one line whatever the text', () => {
    const { lines, target } = createRecorder()
    const logger = createConsoleLogger({ console: target })
    const cycle: { self?: object } = {}
    cycle.self = cycle
    logger.error({ text: 'a\n[gatehouse] error: b\u001b[2J', cycle }, 'one\r\ntwo\u2028three')
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/[\p{Cc}\u2028]/u)
  })

  it('writes less verbose lines if asked', () => {
    const { lines, target } = createRecorder()
    createConsoleLogger({ level: 'info', console: target }).info({ status: 200 }, 'request')
    expect(lines).toEqual(['info [gatehouse] info: request status=200'])
  })
})

describe('loggerOf()', () => {
  it('takes a logger as it is, and none for false', () => {
    const own = { ...silentLogger }
    expect(loggerOf(own)).toBe(own)
    expect(loggerOf(false)).toBe(silentLogger)
  })

  it('writes the message to a console first', () => {
    const { lines, target } = createRecorder()
    const ignored = (): void => {}
    const own = { ...target, log: ignored, table: ignored, groupEnd: ignored }
    loggerOf(own).warn({ id: 'a' }, 'odd')
    expect(lines).toEqual(['warn [gatehouse] warn: odd id=a'])
  })
})

describe('errorText()', () => {
  it('has each message once, of a bounded number of causes', () => {
    const cause = new Error('EAUTH')
    expect(errorText(new Error('login: EAUTH', { cause }))).toBe('login: EAUTH')
    expect(errorText('text')).toBe('text')
    expect(errorText(new AggregateError([new Error('ECONNREFUSED')]))).toContain('ECONNREFUSED')
    const round = new Error('a')
    round.cause = new Error('b', { cause: round })
    expect(errorText(round)).toBe('a: b')
  })
})
