import type { Revision, Storage } from '../../storage/storage.ts'
import { createView } from '../../storage/view.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import { alertCollection } from '../alert/alert.ts'
import type { LabelSet } from '../alert/label-set.ts'
import type { AlertsConfig } from '../config/config.ts'
import type { RoutingTree } from '../routing/routing-tree.ts'
import { silenceCollection } from '../silence/silence.ts'
import type { AlertEntry, AlertStatus, InhibitRule } from './alert-entry.ts'
import type { AlertGroups } from './alert-groups.ts'
import { type AlertIndex, createAlertIndex } from './alert-index.ts'
import { statusOf } from './alert-status.ts'
import { otherTimes } from './alert-times.ts'
import { createBoardRefresh } from './board-refresh.ts'
import { type ConfiguredRules, createConfiguredRules } from './configured-rules.ts'
import { createKeptLists, type KeptLists } from './kept-lists.ts'
import { createSilenceIndex, type SilenceIndex } from './silence-index.ts'

/**
 * Alerts and silences in memory, with everything that the configuration derives from them: routes, groups, silencing, inhibition.
 * Computed when something changes, so that reads are cheap.
 */
export interface AlertBoard {
  readonly alerts: AlertIndex
  readonly silences: SilenceIndex
  /** The groups of the live alerts. */
  readonly groups: AlertGroups
  /** Rendered lists of alerts and of groups. */
  readonly alertLists: KeptLists
  /** Rendered lists of silences. */
  readonly silenceLists: KeptLists
  readonly routingTree: RoutingTree
  /**
   * Brings the stored records (`stored` of both indexes) up to date with the storage, and returns the time. This is enough for
   * writers: nothing derived from the records is computed.
   */
  catchUp(): Promise<Instant>
  /**
   * Brings everything up to date with the storage and the clock, and returns the instant that it now shows. After many changes it
   * yields to other work in between. Between the end of the returned promise and the next `await` the board does not change.
   */
  refresh(): Promise<Instant>
  /** Something was stored: if lists were read lately, brings everything up to date soon, ahead of the next reader. */
  prepare(): void
  /** Computes everything again under another configuration. */
  configure(config: AlertsConfig): void
  /** The first instant after `now` at which an alert or a group may be shown otherwise although nothing is stored. */
  changesAfter(now: Instant): Instant
  /** The positions in the feeds of alerts and of silences that the stored records show. */
  readonly positions: { readonly alerts: Revision; readonly silences: Revision }
  /** The status of a live alert at an instant. */
  statusOf(entry: AlertEntry, now: Instant): AlertStatus
  /** The rule and the live alert that inhibit an alert with these labels. */
  inhibitorOf(labels: LabelSet): { rule: InhibitRule; source: AlertEntry } | undefined
}

/** Options of {@link createAlertBoard}. */
export interface AlertBoardOptions {
  storage: Storage
  clock: Clock
  config: AlertsConfig
}

const minute = 60_000

const endOfMinute = (now: Instant): Instant => (Math.floor(now / minute) + 1) * minute

/** The first instant after `now` at which one of these acknowledgements ends. */
function acknowledgementEnd(acknowledged: Iterable<AlertEntry>, now: Instant): Instant {
  let next = Number.POSITIVE_INFINITY
  for (const { alert } of acknowledged) {
    const { until = next } = alert.acknowledgement ?? {}
    if (until > now && until < next) next = until
  }
  return next
}

/** The first instant after `now` at which an alert or a group may be shown otherwise although nothing is stored. */
const firstChange = (
  {
    alerts,
    silences,
    rules,
  }: { alerts: AlertIndex; silences: SilenceIndex; rules: ConfiguredRules },
  now: Instant,
): Instant =>
  Math.min(
    silences.changesAfter(now),
    acknowledgementEnd(alerts.acknowledged(), now),
    // Time intervals, which mute groups, begin and end with a minute.
    rules.hasTimeIntervals ? endOfMinute(now) : Number.POSITIVE_INFINITY,
  )

/** The views that bring the stored records up to date. */
function createBoardViews(
  { storage, clock }: Pick<AlertBoardOptions, 'storage' | 'clock'>,
  alerts: AlertIndex['stored'],
  silences: SilenceIndex['stored'],
) {
  const alertView = createView({
    storage,
    clock,
    collection: alertCollection,
    projection: alerts,
  })
  const silenceView = createView({
    storage,
    clock,
    collection: silenceCollection,
    projection: silences,
  })
  return {
    async catchUp(): Promise<Instant> {
      await Promise.all([alertView.refresh(), silenceView.refresh()])
      return clock.now()
    },
    positions: () => ({ alerts: alertView.position, silences: silenceView.position }),
  }
}

/** Creates a board over the alerts and silences of this storage; empty until its first refresh. */
export function createAlertBoard(options: AlertBoardOptions): AlertBoard {
  const { clock, config } = options
  let rules = createConfiguredRules(config)

  const alerts = createAlertIndex({
    *enter(entry) {
      rules.enter(entry)
      yield* silences.link(entry)
    },
    leave(entry) {
      silences.unlink(entry)
      rules.leave(entry)
    },
    update(entry, before) {
      const times = isWatched ? otherTimes(before, entry.alert) : undefined
      if (times !== undefined) {
        alertLists.setTimes(entry, times)
        return true
      }
      entry.rendered = undefined
      entry.renderedInGroup = undefined
      return false
    },
    reroute: (entry) => rules.enter(entry),
  })
  const silences = createSilenceIndex((matchers) => alerts.matching(matchers))
  const alertLists = createKeptLists({
    clock,
    version: () => alerts.revision + silences.revision,
    changesAfter: (now) => changesAfter(now),
  })
  const silenceLists = createKeptLists({
    clock,
    version: () => silences.revision,
    changesAfter: silences.changesAfter,
  })
  const views = createBoardViews(options, alerts.stored, silences.stored)

  const changesAfter = (now: Instant): Instant => firstChange({ alerts, silences, rules }, now)

  /** Whether lists of alerts were read lately, so that their JSON is kept. */
  let isWatched = false

  function* advance(now: Instant): Generator<void> {
    isWatched = alertLists.dropUnread()
    yield* alerts.advance(now)
    yield* silences.advance(now)
  }

  const { refresh, prepare } = createBoardRefresh({
    catchUp: views.catchUp,
    advance,
    isChanged: () => alerts.stored.isChanged || silences.stored.isChanged,
    isRead: alertLists.dropUnread,
  })

  return {
    alerts,
    silences,
    alertLists,
    silenceLists,
    catchUp: views.catchUp,
    refresh,
    prepare,
    changesAfter,

    get groups() {
      return rules.groups
    },

    get routingTree() {
      return rules.tree
    },

    get positions() {
      return views.positions()
    },

    configure(next) {
      rules = createConfiguredRules(next)
      alerts.reroute()
    },

    statusOf(entry, now) {
      const inhibitor = entry.targetOf.length === 0 ? undefined : rules.inhibit.inhibitorOf(entry)
      return statusOf(entry, inhibitor?.source, now)
    },

    inhibitorOf: (labels) => rules.inhibit.inhibitorOfLabels(labels),
  }
}
