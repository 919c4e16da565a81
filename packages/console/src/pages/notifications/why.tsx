import type { Notification } from '@gatehouse/client'
import { Fragment, type ReactNode } from 'react'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import classes from './notifications-page.module.css'

/** Why a notification was sent or not, in a line, with links to what suppressed it. The answer of a receiver is a stranger's text, and cut short here. */
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
      <Causes notification={notification} />
    </span>
  )
}

/** Links to the silences or inhibiting alerts that kept a notification back, after the words that say so. */
export function Causes({
  notification: { outcome, causes = [] },
}: {
  notification: Notification
}): ReactNode {
  return causes.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index === 0 ? ': ' : ', '}
      <a
        href={
          outcome === 'silenced' ? hashOf(['silences', id]) : hashOf(['routing'], { alert: id })
        }
      >
        <bdi>{clip(name === '' ? id : name, 100)}</bdi>
      </a>
    </Fragment>
  ))
}
