import type { ExplainedRoute, Explanation } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { hashOf } from '../../route/route.ts'
import { textOf } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { LocalTime, Until } from '../../widgets/time.tsx'
import classes from './routing-page.module.css'

/** What happens to an alert, and why. */
export function ExplanationView({ explanation }: { explanation: Explanation }): ReactNode {
  const { routing, alerts, notifications: texts, silences } = useTexts()
  const { firing, state, routes, silencedBy, inhibitedBy, acknowledgement, notifications } =
    explanation
  return (
    <section className={classes.explanation} aria-label={routing.explanation}>
      <h2>{routing.explanation}</h2>
      <p>
        <strong>{firing ? routing.firing : routing.notFiring}</strong>
        {firing && state === 'suppressed' && ` · ${routing.suppressed}`}
      </p>
      <ul className={classes.reasons}>
        {silencedBy.map(({ id, createdBy, comment, endsAt }) => (
          <li key={id}>
            <a href={hashOf(['silences', id])}>{alerts.states.silenced}</a> {silences.by}{' '}
            <bdi>{clip(createdBy, 100)}</bdi>: <bdi>{clip(comment)}</bdi> · {silences.until}{' '}
            <LocalTime at={endsAt} />
          </li>
        ))}
        {inhibitedBy !== undefined && (
          <li>
            {routing.inhibitedBy}{' '}
            <a href={hashOf(['routing'], { labels: textOf(inhibitedBy.sourceLabels) })}>
              <bdi>
                {clip(inhibitedBy.sourceLabels.alertname ?? inhibitedBy.sourceFingerprint, 100)}
              </bdi>
            </a>{' '}
            ({inhibitedBy.name ?? routing.rule(inhibitedBy.rule + 1)})
          </li>
        )}
        {acknowledgement !== undefined && (
          <li>
            {routing.acknowledgedBy} <bdi>{clip(acknowledgement.by, 100)}</bdi>
            {acknowledgement.comment !== '' && (
              <>
                : <bdi>{clip(acknowledgement.comment)}</bdi>
              </>
            )}
          </li>
        )}
      </ul>
      {routes.map((route) => (
        <RouteCard key={route.id} route={route} />
      ))}
      {notifications !== undefined && notifications.length > 0 && (
        <>
          <h3>{routing.lately}</h3>
          <ul className={classes.reasons}>
            {notifications.map((one) => (
              <li key={one.id}>
                <LocalTime at={one.at} /> · {texts.outcomes[one.outcome]} →{' '}
                <bdi>{clip(one.receiver)}</bdi>
                {(one.detail ?? one.reason) !== undefined && (
                  <span className={classes.quiet}>
                    {' '}
                    · <bdi>{clip([one.reason, one.detail].filter(Boolean).join(': '))}</bdi>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function RouteCard({ route }: { route: ExplainedRoute }): ReactNode {
  const { routing } = useTexts()
  const { receiver, groupKey, mutedBy, group, next } = route
  return (
    <div className={classes.card}>
      <p>
        → <strong>{clip(receiver)}</strong>
      </p>
      <p className={classes.next} data-what={next.what}>
        {routing.next[next.what]}
        {next.at !== undefined && (
          <>
            {' '}
            <LocalTime at={next.at} /> (<Until at={next.at} />)
          </>
        )}
        <span className={classes.quiet}> · {next.because}</span>
      </p>
      <dl className={classes.facts}>
        <div>
          <dt>{routing.group}</dt>
          <dd>
            <code>
              <bdi>{clip(groupKey)}</bdi>
            </code>
          </dd>
        </div>
        {mutedBy.length > 0 && (
          <div>
            <dt>{routing.mutedBy}</dt>
            <dd>{mutedBy.join(', ')}</dd>
          </div>
        )}
        {group?.nextFlushAt !== undefined && (
          <div>
            <dt>{routing.nextFlush}</dt>
            <dd>
              <LocalTime at={group.nextFlushAt} /> (<Until at={group.nextFlushAt} />)
            </dd>
          </div>
        )}
        {(group?.integrations ?? []).map(({ integration, knows, lastNotifiedAt, limitedBy }) => (
          <div key={integration}>
            <dt>{integration}</dt>
            <dd>
              {knows ? routing.knows : routing.doesNotKnow}
              {lastNotifiedAt !== undefined && (
                <>
                  {' '}
                  · {routing.last} <LocalTime at={lastNotifiedAt} />
                </>
              )}
              {limitedBy !== undefined && ` · ${routing.limitedBy(limitedBy)}`}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
