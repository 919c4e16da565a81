import { zeroTime } from '@gatehouse/go-template/text'
import { expect, it } from 'vitest'
import { decodeTemplateData } from './decode-template-data.ts'

it('decodes the format of a webhook body, with the precision of its times', () => {
  const startsAt = '2026-01-02T03:04:05.000000001+02:00'
  const written = {
    receiver: 'team',
    status: 'any',
    alerts: [
      {
        status: 'firing',
        labels: { a: 'b', __proto__x: 'y' },
        annotations: {},
        startsAt,
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'http://g/',
        fingerprint: 'f',
      },
    ],
    notification_reason: 'why',
    groupLabels: { a: 'b' },
    commonLabels: { c: 'd' },
    commonAnnotations: { e: 'f' },
    routeLabels: { g: 'h' },
    externalURL: 'http://x',
    unknown: [1],
  }
  const { alerts, notification_reason, unknown: _, ...rest } = written
  expect(decodeTemplateData(JSON.stringify(written))).toEqual({
    ...rest,
    reason: 'why',
    alerts: [
      {
        ...alerts[0],
        startsAt: Date.UTC(2026, 0, 2, 1, 4, 5),
        startsAtText: startsAt,
        endsAt: zeroTime,
        endsAtText: '0001-01-01T00:00:00Z',
      },
    ],
  })
})

it('accepts names in any case and null for no value, and leaves missing members empty', () => {
  const { receiver, status, alerts, groupLabels } = decodeTemplateData(
    '{"Receiver":"up","STATUS":null,"alerts":[null,{"labels":{"a":null}}],"groupLabels":null} ',
  )
  expect({ receiver, status, groupLabels }).toEqual({ receiver: 'up', status: '', groupLabels: {} })
  const empty = { status: '', annotations: {}, generatorURL: '', fingerprint: '' }
  expect(alerts).toEqual([
    { ...empty, labels: {}, startsAt: zeroTime, endsAt: undefined },
    { ...empty, labels: { a: '' }, startsAt: zeroTime, endsAt: undefined },
  ])
  expect(decodeTemplateData('null')).toEqual(decodeTemplateData('{}'))
})

it.each([
  [
    '{"receiver":1}',
    'json: cannot unmarshal number into Go struct field Data.receiver of type string',
  ],
  [
    '{"alerts":{}}',
    'json: cannot unmarshal object into Go struct field Data.alerts of type template.Alerts',
  ],
  [
    '{"alerts":[1]}',
    'json: cannot unmarshal number into Go struct field Data.alerts of type template.Alert',
  ],
  [
    '{"alerts":[{"status":[]}]}',
    'json: cannot unmarshal array into Go struct field Alert.alerts.status of type string',
  ],
  [
    '{"groupLabels":[]}',
    'json: cannot unmarshal array into Go struct field Data.groupLabels of type template.KV',
  ],
  [
    '{"groupLabels":{"a":1}}',
    'json: cannot unmarshal number into Go struct field Data.groupLabels of type string',
  ],
  [
    '{"alerts":[{"startsAt":"yesterday"}]}',
    'parsing time "\\"yesterday\\"" as "\\"2006-01-02T15:04:05Z07:00\\"": cannot parse "yesterday\\"" as "2006"',
  ],
  ['[]', 'json: cannot unmarshal array into Go value of type template.Data'],
  ['{"receiver\n', "invalid character '\\n' in string literal"],
  ['', 'unexpected end of JSON input'],
  ['{} {}', 'something follows after the top-level value'],
])('refuses %s', (text, message) => {
  const error = expect.objectContaining({ reason: 'InvalidTemplateData', message })
  expect(() => decodeTemplateData(text)).toThrow(error)
})
