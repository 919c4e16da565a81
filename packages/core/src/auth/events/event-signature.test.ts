import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { startOfTests } from '../service.fixture.ts'
import { signatureHeaders, verifyEventSignature } from './event-signature.ts'

const secret = 'a secret of webhooks'
const body = '{"type":"user.created","payload":{"name":"Måya"}}'
const clock = createManualClock(startOfTests)
const signature = signatureHeaders(body, secret, startOfTests)['x-gatehouse-signature'] ?? ''

/** Whether a receiver accepts the signature whose clock is late by this many seconds. */
const isBelieved = (given: object = {}, secondsLate = 0, options: object = {}): boolean =>
  verifyEventSignature(
    { body, signature, ...given },
    { secret, clock: createManualClock(startOfTests + secondsLate * 1_000), ...options },
  )

describe('the signature of an event', () => {
  it('is accepted for a text and for its bytes', () => {
    expect(isBelieved()).toBe(true)
    expect(isBelieved({ body: new TextEncoder().encode(body) })).toBe(true)
  })

  it('is valid for one body and one secret', () => {
    expect(isBelieved({ body: `${body} ` })).toBe(false)
    expect(isBelieved({}, 0, { secret: 'another' })).toBe(false)
  })

  it('is accepted for five minutes before and after, or for the given tolerance', () => {
    expect([isBelieved({}, 300), isBelieved({}, -300)]).toEqual([true, true])
    expect([isBelieved({}, 301), isBelieved({}, -301)]).toEqual([false, false])
    expect(isBelieved({}, 11, { toleranceSeconds: 10 })).toBe(false)
  })

  it('differs for another instant', () => {
    const later = signature.replace(/t=(\d+)/, (_, at) => `t=${Number(at) + 1}`)
    expect(isBelieved({ signature: later }, 1)).toBe(false)
  })

  it.each([
    undefined,
    null,
    '',
    't=,v1=',
    signature.toUpperCase(),
    `${signature},v1=0`,
    signature.slice(0, -1),
    signature.replace('v1', 'v0'),
    signature.replace(/t=\d+/, 't=99999999999999999999'),
  ])('is refused if it is %j', (given) => {
    expect(isBelieved({ signature: given })).toBe(false)
  })

  it('is made for the current time of the clock', () => {
    expect(verifyEventSignature({ body, signature }, { secret, clock })).toBe(true)
  })
})
