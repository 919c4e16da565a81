import type { Alert, LabelSet } from '@gatehouse/client'
import type { ReactNode } from 'react'
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

/** What keeps an alert quiet, in a word each; a button that opens the rest: by whom, why, until when. */
export function StateBadges({
  alert: { status, acknowledgement },
  onOpen,
}: {
  alert: Alert
  onOpen: () => void
}): ReactNode {
  const { alerts, acknowledge } = useTexts()
  const words = [
    status.silencedBy.length > 0 && alerts.states.silenced,
    status.inhibitedBy.length > 0 && alerts.states.inhibited,
    status.mutedBy.length > 0 && alerts.states.muted,
    acknowledgement !== undefined && acknowledge.acknowledgedBy(clip(acknowledgement.by)),
  ].filter((word) => word !== false)
  return words.map((word) => (
    <button key={word} type="button" className={classes.state} onClick={onOpen}>
      <bdi>{word}</bdi>
    </button>
  ))
}
