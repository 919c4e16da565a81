import type { Alert, LabelSet } from '@gatehouse/client'
import type { ReactNode } from 'react'
import type { ShownAlert } from '../../alerts/merge-servers.ts'
import { isRecent } from '../../alerts/recent.ts'
import { severityOf } from '../../alerts/severity.ts'
import { severityLabel } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { useNow } from '../../time/now.ts'
import { clip } from '../../widgets/clip.ts'
import { Since } from '../../widgets/time.tsx'
import classes from './badges.module.css'
import type { ListActions } from './list-actions.ts'

/** The severity, in words and a colour; a button that adds it to the filter. */
export function SeverityBadge({
  labels,
  onPick,
}: { labels: LabelSet } & Pick<ListActions, 'onPick'>): ReactNode {
  const { alerts } = useTexts()
  const value = labels[severityLabel]
  if (value === undefined) return null
  return (
    <button
      type="button"
      className={classes.badge}
      data-severity={severityOf(labels, severityLabel)}
      title={alerts.addToFilter(severityLabel, clip(value))}
      onClick={({ altKey }) => onPick(severityLabel, value, !altKey)}
    >
      <bdi>{clip(value)}</bdi>
    </button>
  )
}

/** For how long an alert fires, after the given words; what is new stands out, in words too. */
export function Age({ at, words }: { at: string; words?: string }): ReactNode {
  const { alerts } = useTexts()
  const isNew = isRecent(at, useNow())
  return (
    <span className={isNew ? classes.recent : undefined}>
      {isNew && <b>{alerts.recent}</b>}
      {words !== undefined && `${words} `}
      <Since at={at} />
    </span>
  )
}

/** What keeps an alert quiet, in a word each. */
export function useStateWords({ status, acknowledgement }: Alert): readonly string[] {
  const { alerts, acknowledge } = useTexts()
  return [
    status.silencedBy.length > 0 && alerts.states.silenced,
    status.inhibitedBy.length > 0 && alerts.states.inhibited,
    status.mutedBy.length > 0 && alerts.states.muted,
    acknowledgement !== undefined && acknowledge.acknowledgedBy(clip(acknowledgement.by)),
  ].filter((word) => word !== false)
}

/** {@link useStateWords} as buttons that open the rest: by whom, why, until when. */
export function StateBadges({ alert, onOpen }: { alert: Alert; onOpen: () => void }): ReactNode {
  return useStateWords(alert).map((word) => (
    <button key={word} type="button" className={classes.state} onClick={onOpen}>
      <bdi>{word}</bdi>
    </button>
  ))
}

/** The other servers that have an alert. */
export function ServerBadge({ alert }: { alert: ShownAlert }): ReactNode {
  const { others } = useTexts().alerts
  const { servers, isElsewhere } = alert
  if (servers === undefined) return null
  const names = clip(servers.join(', '))
  return (
    <span
      className={classes.state}
      title={isElsewhere ? others.only(names) : others.also(names)}
      data-servers
    >
      <bdi>@{names}</bdi>
    </span>
  )
}
