import type { Notification } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import classes from './notifications-page.module.css'

const longest = 300

/** Why a notification was sent or not, in a line. The answer of a receiver is a stranger's text, and cut short here. */
export function Why({ notification }: { notification: Notification }): ReactNode {
  const { notifications } = useTexts()
  const { outcome, reason, detail = '' } = notification
  const explanation = notifications.whyNot[outcome]
  const words = explanation ?? (reason && (notifications.reasons[reason] ?? reason))
  const answer = detail.length > longest ? `${detail.slice(0, longest)}…` : detail
  return (
    <span className={classes.why}>
      {words}
      {words !== undefined && answer !== '' && ': '}
      {answer !== '' && <bdi className={classes.answer}>{answer}</bdi>}
    </span>
  )
}
