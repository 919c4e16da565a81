import {
  goFailure,
  goStruct,
  goUri,
  isJsonObject,
  readAll,
  readStruct,
  typeMessage,
} from '@gatehouse/go-template/json'
import { goQuote, zeroTime } from '@gatehouse/go-template/text'
import { mapInSteps } from '../../async/slices.ts'
import { parsePlainUtc } from '../../time/date-time.ts'
import type { DecodedAlert } from '../alert/alert.ts'
import { goLabelSet, goTime, type ReadLabels, type ReadTime } from '../alert/read-models.ts'
import { isRequestUri } from '../alert/request-uri.ts'
import type { AlertsSettings } from '../context.ts'
import { alertTooLong, tooManyAlerts } from '../errors.ts'
import { decodeListBody } from './decode-body.ts'
import { requiredInBody, schemaFailure } from './decode-failure.ts'

interface Times {
  annotations: ReadLabels
  endsAt: ReadTime
  startsAt: ReadTime
}

interface Common {
  labels: ReadLabels
  generatorURL: string
}

type ReadAlert = Partial<Times & Common>

// Alertmanager decodes an alert in two passes into different structs; messages name the struct.
const timesStruct = goStruct<Times>('', {
  annotations: goLabelSet,
  endsAt: goTime,
  startsAt: goTime,
})
const commonStruct = goStruct<Common>('Alert', { labels: goLabelSet, generatorURL: goUri })

const timesType =
  'struct { Annotations models.LabelSet "json:\\"annotations,omitempty\\""; EndsAt strfmt.DateTime "json:\\"endsAt,omitempty\\""; StartsAt strfmt.DateTime "json:\\"startsAt,omitempty\\"" }'

function readAlert(value: unknown): ReadAlert | null {
  if (value === null) return null
  if (!isJsonObject(value)) throw goFailure(typeMessage(value, 'value', timesType))
  const plain = readPlainAlert(value)
  if (plain !== undefined) return plain
  const times = readAll((failures) => readStruct(value, timesStruct, failures))
  const common = readAll((failures) => readStruct(value, commonStruct, failures))
  return { ...times, ...common }
}

/**
 * Decodes an alert as Prometheus sends it: known keys, the right types, times in UTC. Returns `undefined` for any other, which is
 * then decoded by all of Go's rules, four times as slowly.
 */
function readPlainAlert(value: Readonly<Record<string, unknown>>): ReadAlert | undefined {
  const alert: ReadAlert = {}
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (key === 'labels' || key === 'annotations') {
      if (!isTexts(member)) return undefined
      alert[key] = member
    } else if (key === 'startsAt' || key === 'endsAt') {
      const at = typeof member === 'string' ? parsePlainUtc(member) : undefined
      if (at === undefined) return undefined
      alert[key] = at === zeroTime ? {} : { at }
    } else if (key === 'generatorURL' && typeof member === 'string') alert.generatorURL = member
    else return undefined
  }
  return alert
}

function isTexts(value: unknown): value is ReadLabels {
  if (!isJsonObject(value)) return false
  for (const name in value) if (typeof value[name] !== 'string') return false
  return true
}

function* readAlerts(value: unknown): Generator<void, (ReadAlert | null)[]> {
  if (value === null) return []
  if (!Array.isArray(value)) throw goFailure(typeMessage(value, 'value', 'models.PostableAlerts'))
  return yield* mapInSteps(value, readAlert)
}

function checkAlert(alert: ReadAlert | null, index: number): DecodedAlert {
  if (alert === null) throw requiredInBody(`${index}`)
  const { labels, annotations, startsAt, endsAt, generatorURL = '' } = alert
  if (generatorURL !== '' && !isRequestUri(generatorURL)) {
    const message = `${index}.generatorURL in body must be of type uri: ${goQuote(generatorURL)}`
    throw schemaFailure(601, message)
  }
  if (labels === undefined) throw requiredInBody(`${index}.labels`)
  const postable: DecodedAlert = { labels }
  if (annotations !== undefined) postable.annotations = annotations
  if (startsAt?.at !== undefined) postable.startsAt = startsAt.at
  if (startsAt?.text !== undefined) postable.startsAtText = startsAt.text
  if (endsAt?.at !== undefined) postable.endsAt = endsAt.at
  if (endsAt?.text !== undefined) postable.endsAtText = endsAt.text
  if (generatorURL !== '') postable.generatorURL = generatorURL
  return postable
}

/** Decodes an alert as Prometheus sends it. Returns `undefined` for any other, and for one that is not valid. */
export function readUsualAlert(value: unknown): DecodedAlert | undefined {
  const alert = isJsonObject(value) ? readPlainAlert(value) : undefined
  if (alert?.labels === undefined) return undefined
  if (alert.generatorURL && !isRequestUri(alert.generatorURL)) return undefined
  return checkAlert(alert, 0)
}

/** The limits of {@link decodeAlerts}; 0: no limit. */
export type AlertsLimits = Pick<AlertsSettings, 'maxAlertsPerRequest' | 'maxAlertLength'>

/**
 * Decodes the body of `POST /alerts`, in slices. All types are checked before any value is validated, so a wrong type in the last
 * alert is reported before a missing label set in the first.
 *
 * @throws {GatehouseError} `UnparsableBody`; `InvalidSchema`; `TooManyAlerts`; `AlertTooLong`.
 * @see Alertmanager API v2, `postableAlerts`
 */
export function* decodeAlerts(
  text: string | undefined,
  { maxAlertsPerRequest, maxAlertLength }: AlertsLimits,
): Generator<void, DecodedAlert[]> {
  const limits = {
    maxItems: maxAlertsPerRequest,
    maxItemLength: maxAlertLength,
    tooMany: () => tooManyAlerts(maxAlertsPerRequest),
    tooLarge: () => alertTooLong(maxAlertLength),
  }
  const read = yield* decodeListBody('alerts', text, limits, readAlerts)
  return yield* mapInSteps(read, checkAlert)
}
