import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../../errors.ts'
import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { createManualClock } from '../../../testing/index.ts'
import { defaultHttpConfig } from '../../fields/http-config.ts'
import type { NotifyResult } from '../notifier.ts'
import { type AttemptOptions, attempt } from './attempt.ts'

const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
const readFile = (): Promise<string> => Promise.reject(new Error('there are no files'))

/** The result of a request with this response, or with none. */
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
  it.each([200, 202, 204, 299])('treats the status %i as a success', async (status) => {
    expect(await judge({ status })).toEqual({ outcome: 'sent' })
  })

  it('lets a notifier check a success itself', async () => {
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
  ] as const)('maps the status %i to %s, %s', async (status, outcome, reason) => {
    const detail = `unexpected status code ${status}`
    expect(await judge({ status })).toEqual({ outcome, reason, detail })
    expect(await judge({ status }, { retryOn: [status] })).toMatchObject({ outcome: 'retry' })
  })

  it('reports the text of the response, truncated', async () => {
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

  it('retries a request without a response', async () => {
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
  ])('knows whether a request that failed with %s may have arrived', async (reason, expected) => {
    const result = await judge(new GatehouseError('ServiceUnavailable', reason, 'no'))
    expect(result).toMatchObject({ outcome: 'retry', detail: 'no' })
    expect('mayHaveArrived' in result ? result.mayHaveArrived : undefined).toBe(expected)
  })

  it.each([
    [500, undefined],
    [502, true],
    [503, undefined],
    [504, true],
  ])('knows whether a request with the response %i may have arrived', async (status, expected) => {
    const result = await judge({ status })
    expect('mayHaveArrived' in result ? result.mayHaveArrived : undefined).toBe(expected)
  })

  it('distinguishes a timeout from a cancellation', async () => {
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
