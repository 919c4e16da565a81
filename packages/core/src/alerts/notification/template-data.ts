import {
  type GoList,
  type GoMap,
  type GoStruct,
  goTime,
  goZeroTime,
  join,
  type ListType,
  type MapType,
  parseTime,
  type StructType,
  sortedEntries,
  stringParameter,
  stringsParameter,
  struct,
  structOf,
  templateFunction,
  textOf,
  textsOf,
  timeValue,
  type Value,
} from '@gatehouse/go-template'
import type { Instant } from '../../time/clock.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import type { Labels } from '../alert/alert.ts'
import type { Notification, NotifiedAlert } from './notification.ts'

/** An alert as templates see it. */
export interface TemplateAlert extends Omit<NotifiedAlert, 'status'> {
  /** `firing` or `resolved`; an alert with any other text is neither. */
  readonly status: string
}

/** The facts that the templates of a notification use. */
export interface TemplateFacts
  extends Pick<
    Notification,
    | 'receiver'
    | 'groupLabels'
    | 'commonLabels'
    | 'commonAnnotations'
    | 'routeLabels'
    | 'externalURL'
  > {
  readonly reason: string
  readonly status: string
  readonly alerts: readonly TemplateAlert[]
  /** The number of alerts that are left out (default 0). */
  readonly truncatedAlerts?: number
  /** The keys of the groups that the notification summarizes (default none). */
  readonly limitedGroups?: readonly string[]
}

/**
 * The value of dot at the start of a notification's template.
 *
 * @see Alertmanager documentation, "Notification template reference", Data
 */
export function templateData(facts: TemplateFacts): GoStruct {
  return writtenTemplateData({ ...facts, receiver: quoteRegex(facts.receiver) })
}

/** The same for given facts in the form of templates: the receiver's name is already quoted. */
export function writtenTemplateData(facts: TemplateFacts): GoStruct {
  const { truncatedAlerts = 0, limitedGroups = [] } = facts
  const isPlain = truncatedAlerts === 0 && limitedGroups.length === 0
  return struct(isPlain ? dataType : typeWith(truncatedAlerts, limitedGroups), {
    Receiver: facts.receiver,
    Status: facts.status,
    Alerts: { kind: 'list', type: alertsType, items: facts.alerts.map(alertValue) },
    NotificationReason: facts.reason,
    GroupLabels: keyValues(facts.groupLabels),
    CommonLabels: keyValues(facts.commonLabels),
    CommonAnnotations: keyValues(facts.commonAnnotations),
    RouteLabels: keyValues(facts.routeLabels),
    ExternalURL: facts.externalURL,
  })
}

const plainDataType: StructType = {
  name: 'template.Data',
  jsonNames: new Map([
    ['Receiver', 'receiver'],
    ['Status', 'status'],
    ['Alerts', 'alerts'],
    ['NotificationReason', 'notification_reason'],
    ['GroupLabels', 'groupLabels'],
    ['CommonLabels', 'commonLabels'],
    ['CommonAnnotations', 'commonAnnotations'],
    ['RouteLabels', 'routeLabels'],
    ['ExternalURL', 'externalURL'],
  ]),
}

/** What Alertmanager does not have is a method, not a field, so that the whole is printed as there. */
const typeWith = (truncatedAlerts: number, limitedGroups: readonly string[]): StructType => ({
  ...plainDataType,
  methods: new Map([
    ['TruncatedAlerts', () => templateFunction([], () => truncatedAlerts)],
    ['LimitedGroups', () => templateFunction([], () => textList(limitedGroups))],
  ]),
})

const dataType = typeWith(0, [])

const alertType: StructType = {
  name: 'template.Alert',
  jsonNames: new Map([
    ['Status', 'status'],
    ['Labels', 'labels'],
    ['Annotations', 'annotations'],
    ['StartsAt', 'startsAt'],
    ['EndsAt', 'endsAt'],
    ['GeneratorURL', 'generatorURL'],
    ['Fingerprint', 'fingerprint'],
    ['Acknowledgement', 'acknowledgement'],
  ]),
}

/**
 * An alert without an acknowledgement. Its acknowledgement is a method, not a field, so that the alert as a whole is printed as
 * Alertmanager does.
 */
const unacknowledgedType: StructType = {
  ...alertType,
  methods: new Map([['Acknowledgement', () => templateFunction([], () => null)]]),
}

const acknowledgementType: StructType = {
  name: 'template.Acknowledgement',
  jsonNames: new Map([
    ['By', 'by'],
    ['Comment', 'comment'],
    ['Since', 'since'],
    ['Until', 'until'],
  ]),
}

function acknowledgementValue({ by, comment, since, until }: Acknowledgement): GoStruct {
  return struct(acknowledgementType, {
    By: by,
    Comment: comment,
    Since: timeOf(since, undefined),
    Until: timeOf(until, undefined),
  })
}

function alertValue(alert: TemplateAlert): GoStruct {
  const { acknowledgement } = alert
  const fields = alertFields(alert)
  if (acknowledgement === undefined) return struct(unacknowledgedType, fields)
  const value = acknowledgementValue(acknowledgement)
  return struct(alertType, { ...fields, Acknowledgement: value })
}

function alertFields(alert: TemplateAlert): Readonly<Record<string, Value>> {
  return {
    Status: alert.status,
    Labels: keyValues(alert.labels),
    Annotations: keyValues(alert.annotations),
    StartsAt: timeOf(alert.startsAt, alert.startsAtText),
    EndsAt: timeOf(alert.endsAt, alert.endsAtText),
    GeneratorURL: alert.generatorURL,
    Fingerprint: alert.fingerprint,
  }
}

const rfc3339 = '2006-01-02T15:04:05Z07:00'

/** An instant in its original form; Go's zero time if there is none. */
function timeOf(at: Instant | undefined, text: string | undefined): Value {
  if (at === undefined) return timeValue(goZeroTime)
  return timeValue(text === undefined ? goTime(at) : parseTime(rfc3339, text))
}

/** A regular expression that matches exactly this text. */
function quoteRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}

const alertsType: ListType = {
  name: 'template.Alerts',
  element: 'template.Alert',
  methods: new Map([
    ['Firing', only((alert) => alert.get('Status') === 'firing')],
    ['Resolved', only((alert) => alert.get('Status') === 'resolved')],
    ['Acknowledged', only((alert) => alert.has('Acknowledgement'))],
  ]),
}

/** The results of {@link alertsType}'s methods have no methods themselves. */
const chosenAlertsType: ListType = { name: '[]template.Alert', element: 'template.Alert' }

function only(isWanted: (fields: GoStruct['fields']) => boolean) {
  return ({ items }: GoList) =>
    templateFunction([], (_, run) => {
      run.spend(items.length)
      const found = items.filter((alert) => {
        const fields = structOf(alert)?.fields
        return fields !== undefined && isWanted(fields)
      })
      return { kind: 'list', type: chosenAlertsType, items: found }
    })
}

/** Labels or annotations, with the methods of Go's `KV`. */
const keyValuesType: MapType = {
  name: 'template.KV',
  element: 'string',
  zero: '',
  methods: new Map([
    ['SortedPairs', (map) => templateFunction([], () => pairList(sortedPairs(map)))],
    ['Names', (map) => templateFunction([], () => namesOf(sortedPairs(map)))],
    ['Values', (map) => templateFunction([], () => valuesOf(sortedPairs(map)))],
    [
      'Remove',
      (map) =>
        templateFunction([stringsParameter], ([names], run) => {
          run.spend(map.entries.size + names.items.length)
          const removed = new Set(textsOf(names))
          const kept = Array.from(map.entries).filter(([name]) => !removed.has(name))
          return { ...map, entries: new Map(kept) }
        }),
    ],
    ['String', (map) => templateFunction([], () => pairsText(sortedPairs(map)))],
  ]),
  toText: (map) => pairsText(sortedPairs(map)),
}

const keyValues = (labels: Labels): GoMap => ({
  kind: 'map',
  type: keyValuesType,
  entries: new Map(Object.entries(labels)),
})

/** A name and its value. */
type Pair = readonly [name: string, value: string]

/** The name that is sorted before all others. */
const alertName = 'alertname'

function sortedPairs(map: GoMap): readonly Pair[] {
  const pairs = Array.from(sortedEntries(map), ([name, value]): Pair => [name, textOf(value) ?? ''])
  const first = pairs.findIndex(([name]) => name === alertName)
  return first > 0 ? [...pairs.splice(first, 1), ...pairs] : pairs
}

const pairType: StructType = { name: 'template.Pair' }

const pairsType: ListType = {
  name: 'template.Pairs',
  element: 'template.Pair',
  methods: new Map([
    ['Names', (list) => templateFunction([], () => namesOf(pairsOf(list)))],
    ['Values', (list) => templateFunction([], () => valuesOf(pairsOf(list)))],
    ['String', (list) => templateFunction([], () => pairsText(pairsOf(list)))],
  ]),
  toText: (list) => pairsText(pairsOf(list)),
}

function pairList(pairs: readonly Pair[]): GoList {
  const items = pairs.map(([name, value]) => struct(pairType, { Name: name, Value: value }))
  return { kind: 'list', type: pairsType, items }
}

function pairsOf({ items }: GoList): readonly Pair[] {
  return items.map((item) => {
    const fields = structOf(item)?.fields
    return [textOf(fields?.get('Name') ?? '') ?? '', textOf(fields?.get('Value') ?? '') ?? '']
  })
}

const pairsText = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${name}=${value}`).join(', ')

/** Unconfirmed: Alertmanager's name of this type; it has the methods of a list of strings, and `Join`. */
const textListType: ListType = {
  name: '[]string',
  element: 'string',
  methods: new Map([
    [
      'Join',
      (list) =>
        templateFunction([stringParameter], ([separator], run) =>
          join(textsOf(list), separator, run),
        ),
    ],
  ]),
}

const namesOf = (pairs: readonly Pair[]): GoList => textList(pairs.map(([name]) => name))

const valuesOf = (pairs: readonly Pair[]): GoList => textList(pairs.map(([, value]) => value))

const textList = (items: readonly string[]): GoList => ({ kind: 'list', type: textListType, items })
