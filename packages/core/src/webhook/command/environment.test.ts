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
    webhook: { id: 'deploy', env: new Map(), pass_env: [], ...webhook },
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
const sourced = (source: string, fallback?: string): EnvironmentValue => ({
  kind: 'source',
  from: parseSource(source),
  source,
  default: fallback,
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
})
