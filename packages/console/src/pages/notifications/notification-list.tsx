import type { Notification } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Labels } from '../../widgets/labels.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './notifications-page.module.css'
import { OutcomeBadge } from './outcome-badge.tsx'
import { Why } from './why.tsx'

/** Decisions to notify or not, the newest first. */
export function NotificationList({
  items,
  onOpen,
  onPick,
}: {
  items: readonly Notification[]
  onOpen: (id: string) => void
  onPick: (name: string, value: string, isEqual: boolean) => void
}): ReactNode {
  const { notifications } = useTexts()
  return (
    <ol className={classes.list} aria-label={notifications.list}>
      {items.map((one) => (
        <li key={one.id} className={classes.row} data-outcome={one.outcome}>
          <div className={classes.time}>
            <LocalTime at={one.at} />
          </div>
          <OutcomeBadge outcome={one.outcome} />
          <div className={classes.receiver}>
            <bdi>{clip(one.receiver)}</bdi>
            {one.integration !== undefined && (
              <bdi className={classes.quiet}> {one.integration}</bdi>
            )}
          </div>
          <div className={classes.content}>
            {one.groupLabels === undefined ? (
              <bdi className={classes.quiet}>{clip(one.groupKey, 200)}</bdi>
            ) : (
              <Labels labels={one.groupLabels} onPick={onPick} />
            )}
            <Why notification={one} />
          </div>
          <div className={classes.counts}>
            {one.firingCount > 0 && <div>{notifications.firing(one.firingCount)}</div>}
            {one.resolvedCount > 0 && <div>{notifications.resolved(one.resolvedCount)}</div>}
          </div>
          <button
            type="button"
            className={classes.details}
            aria-label={notifications.detailsOf(one.receiver)}
            onClick={() => onOpen(one.id)}
          >
            {notifications.details}
          </button>
        </li>
      ))}
    </ol>
  )
}
