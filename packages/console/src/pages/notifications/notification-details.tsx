import type { NotificationAlert, NotificationDetails } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../data/services.ts'
import { hashOf } from '../../route/route.ts'
import { textOf } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { Annotation } from '../../widgets/annotation.tsx'
import { clip } from '../../widgets/clip.ts'
import { Labels } from '../../widgets/labels.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { visible } from '../../widgets/visible.ts'
import { Message } from './message.tsx'
import classes from './notifications-page.module.css'
import { OutcomeBadge } from './outcome-badge.tsx'
import { Causes } from './why.tsx'

const maxShown = 20

/** All that is known of one decision: the answer of the receiver, the alerts as they were, and the message. */
export function NotificationView({ id }: { id: string }): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['notification', id],
    queryFn: ({ signal }) => client.notification(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (isPending) return <Loading />
  return <Details details={data} />
}

function Details({ details }: { details: NotificationDetails }): ReactNode {
  const { notifications } = useTexts()
  const { notification, alerts, message, unknownCount } = details
  const { outcome, reason, detail, attempts, tookMs } = notification
  const explanation = notifications.whyNot[outcome]
  return (
    <div className={classes.view}>
      <dl className={classes.facts}>
        <dt>{notifications.outcome}</dt>
        <dd>
          <OutcomeBadge outcome={outcome} />
          {explanation !== undefined && (
            <div className={classes.quiet}>
              {explanation}
              <Causes notification={notification} />
            </div>
          )}
        </dd>
        <dt>{notifications.time}</dt>
        <dd>
          <LocalTime at={notification.at} />
        </dd>
        <dt>{notifications.receiver}</dt>
        <dd>
          <bdi>{clip(notification.receiver)}</bdi> <bdi>{notification.integration}</bdi>
        </dd>
        {reason !== undefined && (
          <>
            <dt>{notifications.why}</dt>
            <dd>{notifications.reasons[reason] ?? reason}</dd>
          </>
        )}
        {attempts !== undefined && (
          <>
            <dt>{notifications.attempts}</dt>
            <dd>
              {attempts}
              {tookMs !== undefined &&
                ` · ${tookMs < 1_000 ? `${Math.round(tookMs)} ms` : shortDuration(tookMs)}`}
            </dd>
          </>
        )}
      </dl>
      {detail !== undefined && detail !== '' && (
        <section>
          <h3>{outcome === 'failed' ? notifications.answer : notifications.why}</h3>
          <pre className={classes.text} dir="auto">
            {visible(detail)}
          </pre>
        </section>
      )}
      <section>
        <h3>{notifications.alerts}</h3>
        {notification.groupLabels !== undefined && (
          <p>
            <a href={hashOf(['alerts'], { filter: textOf(notification.groupLabels) })}>
              {notifications.alertsOfGroup}
            </a>
          </p>
        )}
        <ul className={classes.alerts}>
          {alerts.slice(0, maxShown).map((alert) => (
            <RecordedAlert key={`${alert.status} ${alert.fingerprint}`} alert={alert} />
          ))}
        </ul>
        {alerts.length > maxShown && (
          <p className={classes.quiet}>{notifications.moreAlerts(alerts.length - maxShown)}</p>
        )}
        {unknownCount > 0 && (
          <p className={classes.quiet}>{notifications.unknownAlerts(unknownCount)}</p>
        )}
      </section>
      {notification.integration !== undefined && (
        <section>
          <h3>{notifications.message}</h3>
          {message === undefined ? (
            <p className={classes.quiet}>{notifications.noMessage}</p>
          ) : (
            <Message message={message} about={notifications.renderedAgain} />
          )}
        </section>
      )}
    </div>
  )
}

function RecordedAlert({ alert }: { alert: NotificationAlert }): ReactNode {
  const { notifications, alerts } = useTexts()
  const { summary, description } = alert.annotations
  const text = summary ?? description
  return (
    <li>
      <span className={classes.alertState} data-status={alert.status}>
        {notifications.states[alert.status]}
      </span>
      <Labels labels={alert.labels} />
      {text !== undefined && (
        <p>
          <Annotation text={text} />
        </p>
      )}
      <a href={hashOf(['routing'], { labels: textOf(alert.labels) })}>{alerts.why}</a>
    </li>
  )
}
