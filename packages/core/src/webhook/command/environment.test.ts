import { compilePattern } from '@gatehouse/go-template/regex'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../crypto/secret.ts'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import { parseSource } from '../request/source.ts'
import type { EnvironmentValue, Webhook } from '../webhook.ts'
import { type CommandEnvironmentOptions, commandEnvironment } from './environment.ts'

const own = {
  GATEHOUSE_RUN_ID: 'run_1',
  GATEHOUSE_WEBHOOK_ID: 'deploy',
  GATEHOUSE_REQUEST_ID: 'r1',
  GATEHOUSE_ATTEMPT: '2',
}
const path = '/usr/local/bin:/usr/bin:/bin'

function environmentOf(
  webhook: Partial<Pick<Webhook, 'env' | 'pass_env'>>,
  settings: Partial<CommandEnvironmentOptions> = {},
): Readonly<Record<string, string>> {
  return commandEnvironment({
    webhook: { id: 'deploy', env: new Map(), pass_env: [], files: [], ...webhook },
    delivery: sampleDelivery(),
    now: 0,
    environment: {},
    withheld: new Set(),
    runId: 'run_1',
    attempt: 2,
    ...settings,
  })
}

const text = (value: string): EnvironmentValue => ({ kind: 'text', value: new Secret(value) })
const sourced = (
  source: string,
  fallback?: string,
  rules: Partial<Extract<EnvironmentValue, { kind: 'source' }>> = {},
): EnvironmentValue => ({
  kind: 'source',
  from: parseSource(source),
  source,
  default: fallback,
  on_missing: 'error',
  pattern: undefined,
  max_length: undefined,
  allow_dash: true,
  ...rules,
})

describe('commandEnvironment', () => {
  it('contains only the base set', () => {
    const base = {
      PATH: '/bin',
      HOME: '/root',
      USER: 'u',
      LOGNAME: 'u',
      SHELL: '/bin/sh',
      LANG: 'C',
      LANGUAGE: 'en',
      LC_ALL: 'C',
      LC_TIME: '',
      TZ: 'UTC',
      TMPDIR: '/tmp',
    }
    const others = {
      SECRET: 's',
      PATHS: 'p',
      XHOME: 'h',
      LC: 'l',
      NODE_OPTIONS: 'o',
      TERM: undefined,
    }
    expect(environmentOf({}, { environment: { ...base, ...others } })).toEqual({ ...base, ...own })
  })

  it('has a PATH even if the server has none', () => {
    expect(environmentOf({})).toEqual({ PATH: path, ...own })
    expect(environmentOf({ env: new Map([['PATH', text('/opt')]]) })).toEqual({
      PATH: '/opt',
      ...own,
    })
  })

  it('inherits the named variables, or all, but never those that secrets were read from', () => {
    const environment = { A: 'a', B: 'b', HOME: '/h', TOKEN: 't' }
    const withheld = new Set(['TOKEN', 'HOME'])
    expect(
      environmentOf({ pass_env: ['A', 'TOKEN', 'X', 'constructor'] }, { environment, withheld }),
    ).toEqual({
      PATH: path,
      A: 'a',
      ...own,
    })
    expect(environmentOf({ pass_env: ['*'] }, { environment, withheld })).toEqual({
      PATH: path,
      A: 'a',
      B: 'b',
      ...own,
    })
  })

  it('prefers variables of the webhook to those of the server, and facts of the run to both', () => {
    const env = new Map([
      ['A', text('set')],
      ['GATEHOUSE_RUN_ID', text('fake')],
      ['__proto__', text('p')],
    ])
    const made = environmentOf(
      { env, pass_env: ['*'] },
      { environment: { A: 'a', GATEHOUSE_ATTEMPT: '9' } },
    )
    expect(Object.entries(made)).toEqual(
      expect.arrayContaining([...Object.entries(own), ['A', 'set'], ['__proto__', 'p']]),
    )
    expect(Object.keys(made)).toHaveLength(7)
  })

  it('takes values from the request', () => {
    const delivery = sampleDelivery({ body: '{"data":{"n":1.0,"e":""}}' })
    const env = new Map([
      ['N', sourced('data.n', 'x')],
      ['E', sourced('data.e', 'x')],
      ['D', sourced('data.d', 'x')],
    ])
    expect(environmentOf({ env }, { delivery })).toMatchObject({ N: '1.0', E: '', D: 'x' })
  })

  it('refuses missing values, and values that no environment can hold', () => {
    const env = new Map([['V', sourced('data.v')]])
    const withValue = (v: string) => () =>
      environmentOf(
        { env },
        { delivery: sampleDelivery({ body: JSON.stringify({ data: { v } }) }) },
      )
    const info = { variable: 'V', source: 'data.v' }
    expect(() => environmentOf({ env })).toThrow(
      expect.objectContaining({ reason: 'argument_missing', info }),
    )
    for (const value of ['a\0b', '\ud800', 'x'.repeat(131_070)]) {
      expect(withValue(value)).toThrow(
        expect.objectContaining({ reason: 'argument_rejected', info }),
      )
    }
    expect(withValue('x'.repeat(131_069))().V).toHaveLength(131_069)
  })

  it('leaves out or empties a variable without a value, if configured', () => {
    const env = new Map([
      ['A', sourced('data.a', undefined, { on_missing: 'skip' })],
      ['B', sourced('data.a', undefined, { on_missing: 'empty' })],
      ['C', sourced('data.a', 'c', { on_missing: 'skip' })],
    ])
    const environment = { A: 'of the server' }
    const got = environmentOf({ env, pass_env: ['*'] }, { environment })
    expect([Object.hasOwn(got, 'A'), got.B, got.C]).toEqual([false, '', 'c'])
  })

  it('has only values that satisfy the rules of their variable', () => {
    const delivery = sampleDelivery({ body: '{"data":{"a":"-x"}}' })
    const rejected = (rules: Parameters<typeof sourced>[2]): unknown => {
      const env = new Map([['A', sourced('data.a', undefined, rules)]])
      try {
        return environmentOf({ env }, { delivery }).A
      } catch (error) {
        return error instanceof Error ? error.message : error
      }
    }
    expect(rejected({})).toBe('-x')
    expect(rejected({ allow_dash: false })).toBe('variable A (data.a) begins with a dash')
    expect(rejected({ max_length: 1 })).toBe('variable A (data.a) has more than 1 bytes')
    expect(rejected({ pattern: compilePattern('^(?:[a-z]+)$') })).toBe(
      'variable A (data.a) does not match its pattern',
    )
  })
})
