import { parseTime } from '@gatehouse/go-template'
import {
  decodeJson,
  findJsonValue,
  type GoReader,
  goFailure,
  goString,
  goStruct,
  isJsonObject,
  readAll,
  readStruct,
  typeMessage,
} from '@gatehouse/go-template/json'
import { zeroTime } from '@gatehouse/go-template/text'
import { GatehouseError, isGatehouseError } from '../../errors.ts'
import { decodeInput, rawText } from '../../input/decode.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import type { Labels } from '../alert/alert.ts'
import { goLabelSet } from '../alert/read-models.ts'
import type { TemplateAlert, TemplateFacts } from './template-data.ts'

interface Time {
  readonly at: number
  readonly text: string
}

interface WrittenAlert {
  status: string
  labels: Labels
  annotations: Labels
  startsAt: Time
  endsAt: Time
  generatorURL: string
  fingerprint: string
  acknowledgement: Partial<WrittenAcknowledgement>
}

interface WrittenAcknowledgement {
  by: string
  comment: string
  since: Time
  until: Time
}

interface Written {
  receiver: string
  status: string
  alerts: readonly Partial<WrittenAlert>[]
  notification_reason: string
  groupLabels: Labels
  commonLabels: Labels
  commonAnnotations: Labels
  routeLabels: Labels
  externalURL: string
}

const keyValues: GoReader<Labels> = (value, place, failures) => {
  if (isJsonObject(value)) return goLabelSet(value, place, failures)
  failures.first ??= typeMessage(value, place, 'template.KV')
  return undefined
}

/** A time in JSON is quoted, and so is its layout in messages. */
const time: GoReader<Time> = (value) => {
  const text = JSON.stringify(value)
  const { at } = parseTime('"2006-01-02T15:04:05Z07:00"', text)
  return { at, text: text.slice(1, -1) }
}

const acknowledgementStruct = goStruct<WrittenAcknowledgement>('Acknowledgement', {
  by: goString,
  comment: goString,
  since: time,
  until: time,
})

const acknowledgement: GoReader<WrittenAlert['acknowledgement']> = (value, place, failures) => {
  if (isJsonObject(value)) return readStruct(value, acknowledgementStruct, failures)
  failures.first ??= typeMessage(value, place, 'template.Acknowledgement')
  return undefined
}

const alertStruct = goStruct<WrittenAlert>('Alert', {
  status: goString,
  labels: keyValues,
  annotations: keyValues,
  startsAt: time,
  endsAt: time,
  generatorURL: goString,
  fingerprint: goString,
  acknowledgement,
})

const alerts: GoReader<Written['alerts']> = (value, place, failures) => {
  if (!Array.isArray(value)) {
    failures.first ??= typeMessage(value, place, 'template.Alerts')
    return undefined
  }
  return value.map((alert) => {
    if (alert === null) return {}
    if (isJsonObject(alert)) return readStruct(alert, alertStruct, failures, 'alerts.')
    failures.first ??= typeMessage(alert, place, 'template.Alert')
    return {}
  })
}

const dataStruct = goStruct<Written>('Data', {
  receiver: goString,
  status: goString,
  alerts,
  notification_reason: goString,
  groupLabels: keyValues,
  commonLabels: keyValues,
  commonAnnotations: keyValues,
  routeLabels: keyValues,
  externalURL: goString,
})

/**
 * Decodes the value of dot in a template from JSON in the format of a webhook body. Missing members are empty; nothing is
 * derived.
 *
 * @throws {GatehouseError} `InvalidTemplateData`, with Go's message.
 * @see amtool, `template render --template.data`
 */
export function decodeTemplateData(json: string): TemplateFacts {
  const text = decodeInput('json', rawText, json)
  try {
    return factsOf(readAll((failures) => readStruct(objectIn(text), dataStruct, failures)))
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw new GatehouseError('BadRequest', 'InvalidTemplateData', error.message)
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const end = findJsonValue(text)?.end
  if (end === undefined) throw goFailure('unexpected end of JSON input')
  if (text.slice(end).trim() !== '') throw goFailure('something follows after the top-level value')
  const value = decodeJson(text)
  if (value === null) return {}
  if (isJsonObject(value)) return value
  throw goFailure(typeMessage(value, 'value', 'template.Data'))
}

function factsOf(written: Partial<Written>): TemplateFacts {
  const { alerts: writtenAlerts = [], notification_reason: reason = '', ...rest } = written
  return {
    receiver: '',
    status: '',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    routeLabels: {},
    externalURL: '',
    ...given(rest),
    reason,
    alerts: writtenAlerts.map(alertOf),
  }
}

function alertOf(written: Partial<WrittenAlert>): TemplateAlert {
  const { startsAt, endsAt, acknowledgement, ...rest } = written
  return {
    status: '',
    labels: {},
    annotations: {},
    generatorURL: '',
    fingerprint: '',
    ...given(rest),
    startsAt: startsAt?.at ?? zeroTime,
    ...(startsAt === undefined ? {} : { startsAtText: startsAt.text }),
    endsAt: endsAt?.at,
    ...(endsAt === undefined ? {} : { endsAtText: endsAt.text }),
    ...(acknowledgement === undefined
      ? {}
      : { acknowledgement: acknowledgementOf(acknowledgement) }),
  }
}

function acknowledgementOf({
  by = '',
  comment = '',
  since,
  until,
}: Partial<WrittenAcknowledgement>): Acknowledgement {
  const start = { by, comment, since: since?.at ?? zeroTime }
  return until === undefined || until.at === zeroTime ? start : { ...start, until: until.at }
}

/** The members that are not `undefined`. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(members).filter(([, member]) => member !== undefined)
  // Only `undefined` is left out.
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
