import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../async/slices.ts'
import { isGatehouseError } from '../../errors.ts'
import { type DecodedAlert, toLabelSet } from '../alert/alert.ts'
import { decodeAlerts as decodeInSlices } from './decode-alerts.ts'

/** The result of decoding a body, as text. */
const limits = { maxAlertsPerRequest: 1_000, maxAlertLength: 10_000 }
const decodeAlerts = (text: string | undefined) => atOnce(decodeInSlices(text, limits))

function failure(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  try {
    decodeAlerts(text)
    return 'no failure'
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    const code = error.info.code === undefined ? '' : `${error.info.code} `
    return code + error.message.replace('parsing alerts body from "" failed, because ', '400 ')
  }
}

const pairs = (alert: DecodedAlert | undefined) => [...toLabelSet(alert?.labels ?? {})]

const labels = { alertname: 'x' }
const timesType =
  'struct { Annotations models.LabelSet "json:\\"annotations,omitempty\\""; EndsAt strfmt.DateTime "json:\\"endsAt,omitempty\\""; StartsAt strfmt.DateTime "json:\\"startsAt,omitempty\\"" }'

describe('decodeAlerts', () => {
  it('reads every field', () => {
    const [alert] = decodeAlerts(
      JSON.stringify([
        {
          labels: { b: '1', a: null, é: 'ü' },
          annotations: { s: '' },
          startsAt: '2026-01-02T03:04:05+02:00',
          endsAt: '2026-01-02T03:04:05.678Z',
          generatorURL: 'http://prometheus/graph?g0.expr=up',
          unknown: [1],
        },
      ]),
    )
    expect(pairs(alert)).toEqual([
      ['a', ''],
      ['b', '1'],
      ['é', 'ü'],
    ])
    expect(alert).toMatchObject({
      annotations: { s: '' },
      startsAt: Date.UTC(2026, 0, 2, 1, 4, 5),
      startsAtText: '2026-01-02T03:04:05+02:00',
      endsAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      generatorURL: 'http://prometheus/graph?g0.expr=up',
    })
    expect(alert).not.toHaveProperty('endsAtText')
  })

  it('reads null and the zero time as absent, and the empty text as the epoch', () => {
    const [alert] = decodeAlerts(
      JSON.stringify([
        {
          labels,
          annotations: null,
          startsAt: '0001-01-01T00:00:00Z',
          endsAt: '',
          generatorURL: null,
        },
      ]),
    )
    expect(alert).toEqual({ labels, endsAt: 0 })
    expect(decodeAlerts('null')).toEqual([])
  })

  it('accepts keys in any case, and prefers the exact name', () => {
    const [alert] = decodeAlerts('[{"LABELS":{"a":"1"},"Labels":{"a":"2"}}]')
    expect(Object.fromEntries(pairs(alert))).toEqual({ a: '2' })
    const [exact] = decodeAlerts('[{"labels":{"a":"1"},"LABELS":{"a":"2"}}]')
    expect(Object.fromEntries(pairs(exact))).toEqual({ a: '1' })
  })

  it('decodes a plain alert like one with a differently spelled key, which takes the slow path', () => {
    const text = fc.string({ unit: 'grapheme' })
    const times = fc.constantFrom(
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.5Z',
      '0001-01-01T00:00:00Z',
    )
    const alert = fc.record(
      {
        labels: fc.dictionary(text, text),
        annotations: fc.dictionary(text, text),
        startsAt: times,
        endsAt: times,
      },
      { requiredKeys: ['labels'] },
    )
    fc.assert(
      fc.property(alert, (plain) => {
        const { labels: same, ...rest } = plain
        const [fast, slow] = decodeAlerts(JSON.stringify([plain, { LABELS: same, ...rest }]))
        expect(fast).toEqual(slow)
      }),
    )
  })

  it('keeps labels named like members of every object', () => {
    const [alert] = decodeAlerts(
      '[{"labels":{"__proto__":"p","constructor":"c","toString":"t"},"__proto__":{"labels":1}}]',
    )
    expect(pairs(alert)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['toString', 't'],
    ])
  })

  it.each([
    ['', '602 alerts in body is required'],
    [' \n', '602 alerts in body is required'],
    ['{', '400 unexpected EOF'],
    ['x', "400 invalid character 'x' looking for beginning of value"],
    [{}, '400 json: cannot unmarshal object into Go value of type models.PostableAlerts'],
    ['"x"', '400 json: cannot unmarshal string into Go value of type models.PostableAlerts'],
    ['5', '400 json: cannot unmarshal number into Go value of type models.PostableAlerts'],
    ['true', '400 json: cannot unmarshal bool into Go value of type models.PostableAlerts'],
    [[5], `400 json: cannot unmarshal number into Go value of type ${timesType}`],
    [[[]], `400 json: cannot unmarshal array into Go value of type ${timesType}`],
    [[null], '602 0 in body is required'],
    [[{}], '602 0.labels in body is required'],
    [[{ labels: null }], '602 0.labels in body is required'],
    [[{ labels }, {}], '602 1.labels in body is required'],
    [
      [{ labels: { a: 5 } }],
      '400 json: cannot unmarshal number into Go struct field Alert.labels of type string',
    ],
    [
      [{ labels: ['a'] }],
      '400 json: cannot unmarshal array into Go struct field Alert.labels of type models.LabelSet',
    ],
    [
      [{ annotations: { a: {} } }],
      '400 json: cannot unmarshal object into Go struct field .annotations of type string',
    ],
    [
      [{ startsAt: 5 }],
      '400 json: cannot unmarshal number into Go struct field .startsAt of type string',
    ],
    [
      [{ generatorURL: 5 }],
      '400 json: cannot unmarshal number into Go struct field Alert.generatorURL of type string',
    ],
    [
      [{ labels, generatorURL: 'not a "url"' }],
      '601 0.generatorURL in body must be of type uri: "not a \\"url\\""',
    ],
    [[{ generatorURL: 'foo' }], '601 0.generatorURL in body must be of type uri: "foo"'],
  ])('answers %j with: %s', (body, message) => {
    expect(failure(body)).toBe(message)
  })

  it('decodes all types before it validates anything', () => {
    const message =
      '400 json: cannot unmarshal bool into Go struct field Alert.labels of type string'
    expect(failure([{}, null, { labels: { a: true, b: 5 } }])).toBe(message)
  })

  it('reports an invalid time before an earlier wrong type', () => {
    expect(failure([{ annotations: 5, startsAt: 'bogus' }])).toContain('400 parsing time "bogus"')
    expect(failure([{ labels: 5, annotations: 5 }])).toContain(
      '.annotations of type models.LabelSet',
    )
  })
})
