import type { Change, ChangeFilter } from '../../changes/change.ts'
import { eventBytes } from '../../http/event-stream.ts'
import type { LabelSet } from '../alert/label-set.ts'
import type { AlertGroup } from '../board/alert-entry.ts'
import { type Matcher, matchesAll } from '../matcher/matcher.ts'

/** The lists that a stream of changes follows. */
export type ChangeTopic =
  | 'alerts'
  | 'alert-groups'
  | 'silences'
  | 'alert-history'
  | 'silence-history'
  | 'notifications'

/** All topics. */
export const changeTopics: readonly ChangeTopic[] = [
  'alerts',
  'alert-groups',
  'silences',
  'alert-history',
  'silence-history',
  'notifications',
]

/** The labels of an alert, or a group with its alerts; `undefined` for changes that have no labels. */
export type ChangeSubject = LabelSet | AlertGroup | undefined

/** A change of the alert service. */
export type AlertsChangeFrame = Change<ChangeTopic> & { readonly subject: ChangeSubject }

/** Creates a change from its JSON. A later change with the same id replaces it. */
export function changeOf(
  event: string,
  topic: ChangeTopic,
  { id, json, subject }: { id: string; json: string; subject?: ChangeSubject },
): AlertsChangeFrame {
  return { topic, key: `${topic} ${id}`, bytes: eventBytes(event, json), subject }
}

/** A filter by topics, and for alerts, their groups and their history by matchers. */
export function changeFilter(
  topics: readonly ChangeTopic[],
  matchers: readonly Matcher[],
): ChangeFilter<ChangeTopic> {
  const wanted = new Set(topics)
  const id = JSON.stringify([
    [...wanted].sort(),
    matchers.map(({ name, operator, value }) => [name, operator, value]),
  ])
  const matches = (labels: LabelSet): boolean => matchesAll(matchers, labels)
  return {
    topics: wanted,
    id,
    wants({ topic, subject }) {
      if (!wanted.has(topic)) return false
      if (matchers.length === 0) return true
      const given = subject as ChangeSubject
      if (given === undefined) return true
      if (!('alerts' in given)) return matches(given)
      return given.alerts.size === 0 || [...given.alerts].some(({ labels }) => matches(labels))
    },
  }
}
