import type { NotificationOutcome } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Icon, type IconName } from '../../widgets/icon.tsx'
import classes from './notifications-page.module.css'

const icons: Readonly<Record<NotificationOutcome, IconName>> = {
  sent: 'check',
  failed: 'warning',
  canceled: 'close',
  deduplicated: 'check',
  acknowledged: 'person',
  limited: 'clock',
  inhibited: 'bellOff',
  muted: 'clock',
  silenced: 'bellOff',
}

/** An outcome as a sign and a word. */
export function OutcomeBadge({ outcome }: { outcome: NotificationOutcome }): ReactNode {
  const { notifications } = useTexts()
  return (
    <span className={classes.outcome} data-outcome={outcome}>
      <Icon name={icons[outcome]} size={15} />
      {notifications.outcomes[outcome]}
    </span>
  )
}
