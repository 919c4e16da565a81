import { zeroTime } from '@gatehouse/go-template/text'
import type { Instant } from '../../time/clock.ts'
import { parsePlainUtc } from '../../time/date-time.ts'
import { type AlertContent, checkContent, type DecodedAlert } from '../alert/alert.ts'
import { contentLimits } from '../alerts/post-alerts.ts'
import type { AlertsSettings } from '../context.ts'
import { decodeAlerts, readUsualAlert } from './decode-alerts.ts'

/** An alert that was posted before: all of it but its end. */
interface Known {
  readonly content: AlertContent
  readonly startsAt: Instant | undefined
}

/** How many characters of alerts to remember at least; at most twice as many. */
const maxCharacters = 16 * 1024 * 1024
/** Splitting a longer body would block the event loop. */
const maxBodyLength = 1024 * 1024
/** The number of alerts in one step. */
const alertsPerStep = 50

const betweenAlerts = '},{'
const beforeEnd = '"endsAt":"'
/** Half of a surrogate pair is decoded specially. Letters need no escape, and could hide a second end. */
const unusualEscape = /\\u(?:[dD]|00[4-7])/

/**
 * Creates a {@link decodeAlerts} that recognizes alerts by their text when they are posted again, so that they need no decoding
 * and no checks. This works for bodies as Go programs write them, without white space between tokens, if all alerts are valid.
 */
export function createAlertsDecoder(
  settings: AlertsSettings,
): (text: string | undefined) => Generator<void, readonly DecodedAlert[]> {
  const { maxAlertsPerRequest, maxAlertLength } = settings
  const limits = contentLimits(settings)
  /** By the text of the alert, without the value of its end. */
  let recent = new Map<string, Known>()
  let older = new Map<string, Known>()
  let characters = 0

  const remember = (key: string, known: Known): Known => {
    if (characters + key.length > maxCharacters) {
      older = recent
      recent = new Map()
      characters = 0
    }
    characters += key.length
    recent.set(key, known)
    return known
  }

  const find = (key: string): Known | undefined => {
    const known = recent.get(key)
    if (known !== undefined) return known
    const before = older.get(key)
    return before && remember(key, before)
  }

  const learn = (text: string, { key, endsAt }: Cut): Known | undefined => {
    const hasOneEnd = text.indexOf(beforeEnd) === text.lastIndexOf(beforeEnd)
    if (!hasOneEnd || unusualEscape.test(text)) return undefined
    const alert = readUsualAlert(parsed(`{${text}}`))
    if (alert === undefined || alert.endsAt !== endsAt) return undefined
    const content = checkContent(alert, limits)
    if ('failure' in content) return undefined
    return remember(key, { content, startsAt: alert.startsAt })
  }

  const decodeOne = (text: string): DecodedAlert | undefined => {
    if (maxAlertLength > 0 && text.length + 2 > maxAlertLength) return undefined
    const cut = cutEnd(text)
    const known = cut && (find(cut.key) ?? learn(text, cut))
    if (known === undefined) return undefined
    const { content, startsAt } = known
    const alert: DecodedAlert = { labels: content.labels, content }
    if (startsAt !== undefined) alert.startsAt = startsAt
    if (cut?.endsAt !== undefined) alert.endsAt = cut.endsAt
    return alert
  }

  function* decodeUsual(text: string): Generator<void, readonly DecodedAlert[] | undefined> {
    const end = text.length - (text.endsWith('\n') ? 3 : 2)
    const isList = text.startsWith('[{') && text.startsWith('}]', end)
    if (!isList || text.length > maxBodyLength) return undefined
    // A text with the separator in it is cut apart too, but then no part of it is JSON.
    const texts = text.slice(2, end).split(betweenAlerts)
    if (maxAlertsPerRequest > 0 && texts.length > maxAlertsPerRequest) return undefined
    const alerts: DecodedAlert[] = []
    for (const one of texts) {
      const alert = decodeOne(one)
      if (alert === undefined) return undefined
      alerts.push(alert)
      if (alerts.length % alertsPerStep === 0) yield
    }
    return alerts
  }

  return function* decode(text) {
    const usual = text && (yield* decodeUsual(text))
    return usual || (yield* decodeAlerts(text, settings))
  }
}

/** The text of an alert without the value of its end, and that end. */
interface Cut {
  readonly key: string
  readonly endsAt: Instant | undefined
}

/** Returns `undefined` if the end is not written in the usual way. */
function cutEnd(text: string): Cut | undefined {
  const at = text.indexOf(beforeEnd)
  // join() copies: a key that is a part of the body would keep all of it in memory.
  if (at < 0) return { key: [text, ','].join(''), endsAt: undefined }
  const from = at + beforeEnd.length
  const to = text.indexOf('"', from)
  const endsAt = parsePlainUtc(text.slice(from, to))
  if (endsAt === undefined || endsAt === zeroTime) return undefined
  return { key: [text.slice(0, from), text.slice(to)].join(''), endsAt }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
