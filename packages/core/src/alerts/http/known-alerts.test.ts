import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../async/slices.ts'
import { acceptAlert, type DecodedAlert } from '../alert/alert.ts'
import { createFixture } from '../service.fixture.ts'
import { decodeAlerts } from './decode-alerts.ts'
import { createAlertsDecoder } from './known-alerts.ts'

const { alerts } = createFixture()
const settings = { ...alerts.options, maxAlertsPerRequest: 20, maxAlertLength: 2_000 }
const limits = { labelNames: settings.labelNames, maxLabels: 1_000, maxLength: 2_000 }
const options = { ...limits, now: 1_000, resolveTimeoutMs: 300_000 }

/** The alerts that are stored for a body, or its failure. */
function stored(decode: () => Generator<void, readonly DecodedAlert[]>): unknown {
  try {
    return atOnce(decode()).map((alert) => acceptAlert(alert, options))
  } catch (error) {
    return String(error)
  }
}

/** Posts the bodies one after the other to one decoder, and each to one that remembers nothing. */
function expectSame(bodies: readonly string[]): void {
  const decode = createAlertsDecoder(settings)
  for (const body of bodies) {
    const known = stored(() => decode(body))
    expect(known).toEqual(stored(() => decodeAlerts(body, settings)))
  }
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString()
const alert = (members: object, name = 'a') => ({ labels: { alertname: name }, ...members })

describe('createAlertsDecoder', () => {
  it('recognizes an alert that comes again with another end', () => {
    const decode = createAlertsDecoder(settings)
    const post = (...ends: number[]) =>
      atOnce(
        decode(
          JSON.stringify(ends.map((end, i) => alert({ endsAt: at(end), startsAt: at(0) }, `${i}`))),
        ),
      )
    const [first, second] = post(1, 2)
    const [again, another] = post(3, 4)
    expect(again?.content).toBe(first?.content)
    expect(another?.content).toBe(second?.content)
    expect([again?.endsAt, another?.endsAt]).toEqual([Date.parse(at(3)), Date.parse(at(4))])
    expect(again?.startsAt).toBe(Date.parse(at(0)))
  })

  it('recognizes an alert without an end', () => {
    const decode = createAlertsDecoder(settings)
    const body = JSON.stringify([alert({ annotations: { summary: 's' } })])
    expect(atOnce(decode(body))[0]?.content).toBe(atOnce(decode(`${body}\n`))[0]?.content)
  })

  it.each([
    ['a label named like the end', [1, 2].map((n) => alert({ labels: { endsAt: at(n) } }))],
    ['a label and an end', [1, 2].map((n) => alert({ labels: { endsAt: at(n) }, endsAt: at(3) }))],
    ['an annotation of that name', [1, 2].map((n) => alert({ annotations: { endsAt: at(n) } }))],
    ['the separator in a value', [1, 2].map((n) => alert({ annotations: { a: '},{' }, n }))],
    ['the zero time', [0, 1].map(() => alert({ endsAt: '0001-01-01T00:00:00Z' }))],
    ['an end with an offset', [1, 2].map((n) => alert({ endsAt: `2026-01-0${n}T00:00:00+01:00` }))],
    ['an end that is no time', [0, 1].map(() => alert({ endsAt: 'soon' }))],
    ['an end before the start', [3, 1].map((n) => alert({ startsAt: at(2), endsAt: at(n) }))],
    ['a URL that is not one', [0, 1].map(() => alert({ generatorURL: 'up' }))],
    ['no labels', [{}, { labels: {} }, { labels: { a: '' } }]],
    ['a long value', [1, 2].map((n) => alert({ annotations: { a: 'x'.repeat(1_900 + 40 * n) } }))],
    ['a value of the wrong type', [alert({}), alert({ annotations: { a: 1 } }), null]],
  ])('decodes %s like an alert that it does not know', (_, posted) => {
    const bodies = posted.map((one) => JSON.stringify([one]))
    expectSame([...bodies, ...bodies, JSON.stringify(posted)])
  })

  it.each([
    [
      'an end twice',
      (end: string) => `[{"labels":{"a":"1"},"endsAt":"${at(1)}","endsAt":"${end}"}]`,
    ],
    [
      'a second end that is escaped',
      (end: string) => `[{"labels":{"a":"1"},"endsAt":"${end}","\\u0065ndsAt":"${at(1)}"}]`,
    ],
    ['half of a surrogate pair', (end: string) => `[{"labels":{"a":"\\ud800"},"endsAt":"${end}"}]`],
    ['text after an alert', (end: string) => `[{"labels":{"a":"1"},"endsAt":"${end}"} x},{}]`],
    ['text after the list', (end: string) => `[{"labels":{"a":"1"},"endsAt":"${end}"}]x}]`],
    ['an end without its quote', (end: string) => `[{"labels":{"a":"1"},"endsAt":"${end}]`],
    ['a comma too many', (end: string) => `[{"labels":{"a":"1"},"endsAt":"${end}"},{}]`],
  ])('decodes %s like an alert that it does not know', (_, body) => {
    expectSame([body(at(1)), body(at(2)), body(at(1)), body(at(3))])
  })

  it('decodes any list like one that it does not know', () => {
    const text = fc.constantFrom('', 'a', 'endsAt', '},{', '"endsAt":"', '<é\ud83d\ude00&', '\\')
    const pairs = fc.dictionary(text, text, { maxKeys: 3 })
    const time = fc.integer({ min: 0, max: 3 }).map(at)
    const one = fc.record(
      { labels: pairs, annotations: pairs, startsAt: time, endsAt: time, generatorURL: text },
      { requiredKeys: [] },
    )
    const body = fc.array(one, { maxLength: 3 }).map((list) => JSON.stringify(list))
    fc.assert(fc.property(fc.array(body, { maxLength: 8 }), expectSame))
  })

  it('refuses more alerts than a request may have', () => {
    const many = (count: number) => JSON.stringify(Array.from({ length: count }, () => alert({})))
    expectSame([many(20), many(21), many(20)])
  })
})
