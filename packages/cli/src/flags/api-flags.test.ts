import { Command, CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { type ApiFlags, addApiFlags, logSettingsOf } from './api-flags.ts'

/** Parses flags; returns the message of a refusal. */
function parse(...args: string[]): ApiFlags | string {
  const command = addApiFlags(new Command('api')).exitOverride()
  try {
    command.configureOutput({ writeErr: () => {} }).parse(args, { from: 'user' })
    return command.opts<ApiFlags>()
  } catch (error) {
    if (error instanceof CommanderError) return error.message
    throw error
  }
}

describe('the flags of gatehouse api', () => {
  it('are undefined if they are not given', () => {
    expect(parse()).toEqual({})
  })

  it.each([
    [['--host=::1', '--port', '0'], { host: '::1', port: 0 }],
    [['--listen=:1', '--listen=h:2'], { listen: [{ port: 1 }, { host: 'h', port: 2 }] }],
    [['--watch'], { watch: true }],
    [['--no-watch'], { watch: false }],
    [['--log-format=json', '--log-level=warn'], { logFormat: 'json', logLevel: 'warn' }],
  ])('%j', (args, flags) => {
    expect(parse(...args)).toEqual(flags)
  })

  it.each([
    [['--port=80a'], /not a whole number/],
    [['--port=65536'], /port must be a number from 0 to 65535/],
    [['--port=-1'], /port must be a number from 0 to 65535/],
    [['--host='], /host must not be empty/],
    [['--listen=:1', '--port=1'], /cannot be used with/],
    [['--log-format=xml'], /Allowed choices are logfmt, json/],
    [['--confg', 'x'], /unknown option '--confg'\n\(Did you mean --config\?\)/],
  ])('refuse %j', (args, message) => {
    expect(parse(...args)).toMatch(message)
  })
})

describe('logSettingsOf()', () => {
  const file = { format: 'logfmt', level: 'info' } as const

  it('uses the flags first, then the file', () => {
    expect(logSettingsOf({}, file)).toEqual({ format: 'logfmt', level: 'info' })
    expect(logSettingsOf({}, { format: 'json', level: 'debug' })).toEqual({
      format: 'json',
      level: 'debug',
    })
    expect(logSettingsOf({ logFormat: 'json', logLevel: 'error' }, file)).toEqual({
      format: 'json',
      level: 'error',
    })
  })
})
