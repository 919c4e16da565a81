import type { Notification } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import classes from './notifications-page.module.css'

/** Why a notification was sent or not, in a line. The answer of a receiver is a stranger's text, and cut short here. */
export function Why({ notification }: { notification: Notification }): ReactNode {
  const { notifications } = useTexts()
  const { outcome, reason, detail = '' } = notification
  const explanation = notifications.whyNot[outcome]
  const words = explanation ?? (reason && (notifications.reasons[reason] ?? reason))
  return (
    <span className={classes.why}>
      {words}
      {words !== undefined && detail !== '' && ': '}
      {detail !== '' && <bdi className={classes.answer}>{clip(detail)}</bdi>}
    </span>
  )
}
