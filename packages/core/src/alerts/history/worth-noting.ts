import { sha256Hex } from '../../crypto/crypto.ts'
import type { NotificationDecision, NotificationOutcome } from '../dispatch/log/decision.ts'
import { groupHash } from '../routing/group-key.ts'
import type { AlertEvent } from './alert-event.ts'
import { createRepeats } from './repeats.ts'

/** Decides which decisions and events are recorded, so that long-lasting conditions do not fill the storage. */
export interface WorthNoting {
  /** True for every attempt to notify; for a decision not to notify, if it is news or was last recorded an hour ago. */
  decision(decision: NotificationDecision): boolean
  /**
   * True for every event, except that changes of an alert count once an hour: annotations that show a value change all the time.
   */
  event(event: AlertEvent): boolean
}

const hour = 3_600_000
const limits = { forMs: hour, maxKeys: 50_000 }

const attempts: ReadonlySet<NotificationOutcome> = new Set(['sent', 'failed', 'canceled'])
/** Outcomes of alerts that reach no integration. */
const suppressions: readonly NotificationOutcome[] = ['inhibited', 'muted', 'silenced']

/** Creates an empty {@link WorthNoting}. */
export function createWorthNoting(): WorthNoting {
  const decisions = createRepeats(limits)
  const changes = createRepeats(limits)
  return {
    decision(decision) {
      const { at, outcome, integration, firing, resolved, detail, causes } = decision
      if (attempts.has(outcome)) {
        if (decisions.isEmpty) return true
        // The next decision differs from those before this one, even if it looks the same.
        if (integration !== undefined) decisions.forget(keyOf(decision, integration))
        for (const stage of suppressions) decisions.forget(keyOf(decision, stage))
        return true
      }
      const content = sha256Hex(JSON.stringify([outcome, firing, resolved, detail, causes]))
      return decisions.isNews(keyOf(decision, integration ?? outcome), content, at)
    },

    event: ({ at, event, fingerprint }) =>
      event !== 'changed' || changes.isNews(fingerprint, event, at),
  }
}

const keyOf = ({ receiver, groupKey }: NotificationDecision, stage: string): string =>
  `${groupHash(groupKey)} ${stage} ${receiver}`
