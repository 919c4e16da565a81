import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../../errors.ts'
import { createManualClock } from '../../../testing/index.ts'
import { defaultHttpConfig } from '../../fields/http-config.ts'
import type { OutgoingAnswer } from '../../http-client/send-request.ts'
import type { NotifyResult } from '../notifier.ts'
import { type AttemptOptions, attempt } from './attempt.ts'

const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
const readFile = (): Promise<string> => Promise.reject(new Error('there are no files'))

/** What a request comes to that is answered so, or not at all. */
function judge(
  answer: Partial<OutgoingAnswer> | Error,
  options: Partial<AttemptOptions> = {},
): Promise<NotifyResult> {
  const send = async (): Promise<OutgoingAnswer> => {
    if (answer instanceof Error) throw answer
    return { status: 200, headers: new Headers(), body: '', ...answer }
  }
  const { signal } = new AbortController()
  const request = { method: 'GET', url: 'http://h.example/' } as const
  return attempt({ send, clock, readFile }, request, {
    http: defaultHttpConfig,
    signal,
    ...options,
  })
}

describe('attempt', () => {
  it.each([200, 202, 204, 299])('takes the status %i for success', async (status) => {
    expect(await judge({ status })).toEqual({ outcome: 'sent' })
  })

  it('lets a notifier judge a success itself', async () => {
    const accept = ({ body }: OutgoingAnswer): NotifyResult => ({
      outcome: 'failed',
      reason: 'other',
      detail: body,
    })
    expect(await judge({ body: 'not ok' }, { accept })).toMatchObject({ detail: 'not ok' })
  })

  it.each([
    [199, 'failed', 'other'],
    [302, 'failed', 'other'],
    [400, 'failed', 'clientError'],
    [401, 'failed', 'authError'],
    [403, 'failed', 'authError'],
    [429, 'failed', 'rateLimited'],
    [500, 'retry', 'serverError'],
    [599, 'retry', 'serverError'],
  ] as const)('judges the status %i as %s, %s', async (status, outcome, reason) => {
    const detail = `unexpected status code ${status}`
    expect(await judge({ status })).toEqual({ outcome, reason, detail })
    expect(await judge({ status }, { retryOn: [status] })).toMatchObject({ outcome: 'retry' })
  })

  it('tells what the other side says, cut short', async () => {
    expect(await judge({ status: 400, body: ` ${'x'.repeat(2_000)} ` })).toMatchObject({
      detail: `unexpected status code 400: ${'x'.repeat(1_023)}`,
    })
    const detailsOf = ({ status }: OutgoingAnswer): string => `about ${status}`
    expect(await judge({ status: 400, body: 'x' }, { detailsOf })).toMatchObject({
      detail: 'unexpected status code 400: about 400',
    })
  })

  it.each([
    ['7', 7_000],
    ['0', 0],
    ['0.25', 250],
    ['Fri, 02 Jan 2026 12:00:30 GMT', 30_000],
    ['Fri, 02 Jan 2026 11:59:59 GMT', undefined],
    ['Fri, no date GMT', undefined],
    ['-1', undefined],
    ['9999999', undefined],
    ['soon', undefined],
  ])('reads Retry-After: %s', async (written, ms) => {
    const headers = new Headers({ 'retry-after': written })
    expect(await judge({ status: 503, headers })).toHaveProperty('outcome', 'retry')
    expect((await judge({ status: 429, headers })) as object).toEqual({
      outcome: 'failed',
      reason: 'rateLimited',
      detail: 'unexpected status code 429',
      ...(ms === undefined ? {} : { retryAfterMs: ms }),
    })
  })

  it('tries again where there is no answer', async () => {
    expect(await judge(new Error('no route'))).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'no route',
      mayHaveArrived: true,
    })
  })

  it.each([
    ['NotAnswered', true],
    ['NotConnected', undefined],
    ['OAuth2Failed', undefined],
  ])('knows whether a request may have arrived that failed as %s', async (reason, expected) => {
    const result = await judge(new GatehouseError('ServiceUnavailable', reason, 'no'))
    expect(result).toMatchObject({ outcome: 'retry', detail: 'no' })
    expect('mayHaveArrived' in result ? result.mayHaveArrived : undefined).toBe(expected)
  })

  it.each([
    [500, undefined],
    [502, true],
    [503, undefined],
    [504, true],
  ])('knows whether a request may have arrived that was answered %i', async (status, expected) => {
    const result = await judge({ status })
    expect('mayHaveArrived' in result ? result.mayHaveArrived : undefined).toBe(expected)
  })

  it('tells a time limit from a cancellation', async () => {
    const reasons = [new DOMException('late', 'TimeoutError'), new Error('reloaded')]
    const results = reasons.map((reason) =>
      judge(new Error('ended'), { signal: AbortSignal.abort(reason) }),
    )
    expect(await Promise.all(results)).toMatchObject([
      { outcome: 'retry', reason: 'contextDeadlineExceeded' },
      { outcome: 'retry', reason: 'contextCanceled' },
    ])
  })
})
