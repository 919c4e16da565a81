import { describe, expect, it } from 'vitest'
import { maxDepth } from '../records/due-run.ts'
import { webhookNamed } from '../service.fixture.ts'
import { codesIn, problemsIn, readConfig, readWebhook, settingProblems } from './config.fixture.ts'

describe('retries', () => {
  it('have defaults besides their number', () => {
    expect(readWebhook({ retries: { count: 3 } }).retries).toEqual({
      count: 3,
      delay: 10_000,
      max_delay: 300_000,
      exit_codes: undefined,
    })
    expect(readWebhook({}).retries).toBeUndefined()
  })

  it.each([
    [{}, 'retries.count required'],
    [{ count: 0 }, 'retries.count out_of_range'],
    [{ count: 101 }, 'retries.count out_of_range'],
    [{ count: 1, exit_codes: [0] }, 'retries.exit_codes[0] out_of_range'],
    [{ count: 1, exit_codes: [256] }, 'retries.exit_codes[0] out_of_range'],
  ])('are refused as %j', (retries, problem) => {
    expect(settingProblems({ retries })).toEqual([problem])
  })
})

describe('a schedule', () => {
  it.each(['0 3 * * *', '*/5 8-18 * * MON-FRI', '0 0 L * *', '@daily', '0 0 29 2 *'])(
    'may be %s',
    (cron) => {
      expect(readWebhook({ schedule: { cron } }).schedule).toEqual({
        cron,
        time_zone: 'UTC',
        data: undefined,
      })
    },
  )

  it.each(['', '* * * *', '* * * * * *', '60 * * * *', '0 0 30 2 *', 'never', '*'.repeat(201)])(
    'is refused as "%s"',
    (cron) => {
      const [problem, ...more] = settingProblems({ schedule: { cron } })
      expect(problem).toBe('schedule.cron bad_cron')
      expect(more).toEqual([])
    },
  )

  it('has data that are JSON, and none in the place of its time', () => {
    const withData = (data: unknown) => ({ schedule: { cron: '0 3 * * *', data } })
    const data = { branch: 'main', list: [1, { a: null }] }
    expect(readWebhook(withData(data)).schedule?.data).toEqual(data)
    const refused = (given: unknown) => settingProblems(withData(given))
    expect(refused('main')).toEqual(['schedule.data wrong_type'])
    expect(refused(['main'])).toEqual(['schedule.data wrong_type'])
    expect(refused({ schedule: {} })).toEqual(['schedule.data conflict'])
  })

  it('has a time zone that exists', () => {
    const schedule = { cron: '0 3 * * *', time_zone: 'Europe/Atlantis' }
    expect(settingProblems({ schedule })).toEqual(['schedule.time_zone bad_time_zone'])
  })
})

describe('a webhook that runs on its own', () => {
  it.each([{ schedule: { cron: '0 3 * * *' } }, { after: { webhook: 'build' } }])(
    'needs no token, and then no sender may run it: %j',
    (settings) => {
      const { token: _, ...own } = webhookNamed('own', settings)
      const { webhooks } = readConfig({ webhooks: [own, webhookNamed('build')] })
      expect(webhooks[0]?.auth).toBe('token')
      expect(['', 't', 'undefined'].filter((token) => webhooks[0]?.token.accepts(token))).toEqual(
        [],
      )
    },
  )

  it('needs a token if it demands one', () => {
    const schedule = { cron: '0 3 * * *' }
    const { token: _, ...own } = webhookNamed('own', { schedule, auth: 'either' })
    const signature = { scheme: 'github', secret: 'a-secret-that-is-long' }
    expect(codesIn({ webhooks: [{ ...own, signature }] })).toEqual(['webhooks[0].token required'])
  })
})

describe('webhooks after each other', () => {
  const follows = (webhook: string): object => ({ after: { webhook } })
  const messages = (...webhooks: readonly object[]): readonly string[] =>
    problemsIn({ webhooks }).map(({ path, message }) => `${path} ${message}`)

  it('begin with one that exists', () => {
    expect(messages(webhookNamed('a', follows('b')))).toEqual([
      'webhooks[0].after.webhook no webhook has this id',
    ])
  })

  it('make no circle', () => {
    expect(messages(webhookNamed('a', follows('a')))).toEqual([
      'webhooks[0].after.webhook the webhook would run after itself',
    ])
    const circle = [webhookNamed('a', follows('b')), webhookNamed('b', follows('a'))]
    expect(messages(...circle, webhookNamed('c', follows('a')))).toHaveLength(2)
  })

  it('count what the defaults say', () => {
    const webhooks = [webhookNamed('a'), webhookNamed('b')]
    const found = problemsIn({ defaults: follows('a'), webhooks })
    expect(found.map(({ message }) => message)).toEqual(['the webhook would run after itself'])
  })

  it('are not more than the limit', () => {
    const chain = (length: number) =>
      Array.from({ length: length + 1 }, (_, nth) =>
        webhookNamed(`w${nth}`, nth === 0 ? {} : follows(`w${nth - 1}`)),
      )
    expect(messages(...chain(maxDepth))).toEqual([])
    expect(messages(...chain(maxDepth + 1))).toEqual([
      `webhooks[${maxDepth + 1}].after.webhook at most ${maxDepth} webhooks may run after each other`,
    ])
  })
})
