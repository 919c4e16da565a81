import { inSlices } from '../../async/slices.ts'
import type { ChangeSource } from '../../changes/change.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { AlertBoard } from '../board/board.ts'
import type { AlertsConfig } from '../config/config.ts'
import { type AlertTracker, createAlertTracker } from './alert-tracker.ts'
import { createHistoryTrackers, type HistoryTracker, lateMs } from './history-tracker.ts'
import { type ChangePosition, configId, positionOf, positionText } from './position.ts'
import { createSilenceTracker, type SilenceTracker } from './silence-tracker.ts'
import type { AlertsChangeFrame, ChangeTopic } from './topic.ts'
import { touchedSince } from './touched-since.ts'

/** The parts of the service whose changes are found. */
export interface AlertsChangeSourceOptions {
  readonly storage: Storage
  readonly board: AlertBoard
  readonly config: { readonly current: AlertsConfig }
}

/** How often history is read. */
const historyEveryMs = 500

/** Finds the changes of alerts, groups, silences and history, for a hub. */
export function createAlertsChangeSource(
  options: AlertsChangeSourceOptions,
): ChangeSource<ChangeTopic> {
  const { storage, board, config } = options
  const historyTrackers = createHistoryTrackers(storage)
  let alerts: AlertTracker | undefined
  let silences: SilenceTracker | undefined
  const histories = new Map<ChangeTopic, HistoryTracker>()
  let position: ChangePosition | undefined
  let lookedAt = ''
  let changesAt = Number.POSITIVE_INFINITY
  let historyReadAt = Number.NEGATIVE_INFINITY
  let knownConfig: AlertsConfig | undefined
  let knownConfigId = ''
  /** Records that were read but not returned yet, because reading others failed. */
  let unsent: AlertsChangeFrame[] = []

  const currentPosition = (at: Instant): ChangePosition => {
    if (knownConfig !== config.current) {
      knownConfig = config.current
      knownConfigId = configId(knownConfig)
    }
    return { config: knownConfigId, ...board.positions, at }
  }

  const lookAtBoard = async (
    topics: ReadonlySet<ChangeTopic>,
    now: Instant,
  ): Promise<readonly AlertsChangeFrame[]> => {
    const state = `${board.alerts.revision} ${board.silences.revision}`
    if (state === lookedAt && now < changesAt) return []
    lookedAt = state
    changesAt = board.changesAfter(now)
    alerts ??= createAlertTracker(options)
    silences ??= createSilenceTracker(board.silences)
    const ofSilences = await inSlices(silences.look(now))
    return [...ofSilences, ...(await inSlices(alerts.look(now, topics.has('alert-groups'))))]
  }

  const lookAtHistory = async (topics: ReadonlySet<ChangeTopic>, now: Instant): Promise<void> => {
    const isDue = Math.abs(now - historyReadAt) >= historyEveryMs
    if (isDue) historyReadAt = now
    for (const [topic, create] of historyTrackers) {
      const known = histories.get(topic)
      if (!topics.has(topic)) histories.delete(topic)
      else if (isDue || known === undefined) {
        const tracker = known ?? create()
        unsent.push(...(await tracker.look(now)))
        histories.set(topic, tracker)
      }
    }
  }

  return {
    async look(topics) {
      const now = await board.refresh()
      // Before anything that waits: what is stored later may be found again, but is never missed.
      const current = currentPosition(now)
      await lookAtHistory(topics, now)
      const changes = [...(await lookAtBoard(topics, now)), ...unsent]
      unsent = []
      position = current
      return { changes, position: positionText(current) }
    },

    async since(text, topics) {
      const from = positionOf(text)
      if (from === undefined || position === undefined || from.config !== position.config) {
        return undefined
      }
      const { at: now } = position
      const touched = await touchedSince(options, from, now)
      // The groups of an alert that is not stored any more are not known.
      if (touched === undefined || (!touched.areAllKnown && topics.has('alert-groups'))) {
        return undefined
      }
      const changes: AlertsChangeFrame[] = []
      if (silences !== undefined)
        changes.push(...(await inSlices(silences.stateOf(touched.silences, now))))
      if (alerts !== undefined)
        changes.push(...(await inSlices(alerts.stateOf(touched.alerts, now))))
      for (const topic of topics) {
        const missed = await histories.get(topic)?.since(from.at - lateMs)
        if (histories.has(topic) && missed === undefined) return undefined
        changes.push(...(missed ?? []))
      }
      return changes
    },

    rest() {
      alerts = undefined
      silences = undefined
      histories.clear()
      unsent = []
      lookedAt = ''
    },
  }
}
