import { sha256Hex } from '../../crypto/crypto.ts'
import type { NotificationDecision, NotificationOutcome } from '../dispatch/log/decision.ts'
import { groupHash } from '../routing/group-key.ts'
import type { AlertEvent } from './alert-event.ts'
import { createRepeats } from './repeats.ts'

/** Tells which decisions and events are noted, so that what goes on for days does not fill the storage. */
export interface WorthNoting {
  /** Every attempt to tell is, with how it ended; that nothing was told, if it is news or was noted an hour ago. */
  decision(decision: NotificationDecision): boolean
  /** Every event is, but that an alert changed only once an hour: annotations that show a value change all the time. */
  event(event: AlertEvent): boolean
}

const hour = 3_600_000
const limits = { forMs: hour, maxKeys: 50_000 }

const attempts: ReadonlySet<NotificationOutcome> = new Set(['sent', 'failed', 'canceled'])
/** What may happen to alerts of a group before they reach an integration. */
const suppressions: readonly NotificationOutcome[] = ['inhibited', 'muted', 'silenced']

/** Nothing was noted yet. */
export function createWorthNoting(): WorthNoting {
  const decisions = createRepeats(limits)
  const changes = createRepeats(limits)
  return {
    decision(decision) {
      const { at, outcome, integration, firing, resolved, detail } = decision
      if (attempts.has(outcome)) {
        if (decisions.isEmpty) return true
        // Whatever is decided after it differs from what was before it, also if it reads the same.
        if (integration !== undefined) decisions.forget(keyOf(decision, integration))
        for (const stage of suppressions) decisions.forget(keyOf(decision, stage))
        return true
      }
      const content = sha256Hex(JSON.stringify([outcome, firing, resolved, detail]))
      return decisions.isNews(keyOf(decision, integration ?? outcome), content, at)
    },

    event: ({ at, event, fingerprint }) =>
      event !== 'changed' || changes.isNews(fingerprint, event, at),
  }
}

const keyOf = ({ receiver, groupKey }: NotificationDecision, stage: string): string =>
  `${groupHash(groupKey)} ${stage} ${receiver}`
