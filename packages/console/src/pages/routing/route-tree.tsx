import type { ListedRoute } from '@gatehouse/client'
import { type ReactNode, useState } from 'react'
import { alertsBelow, isOnPath } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { Icon } from '../../widgets/icon.tsx'
import { visible } from '../../widgets/visible.ts'
import classes from './route-tree.module.css'

/** The routes as a tree that opens and closes. The way of an alert is marked. */
export function RouteTree({
  root,
  taken,
}: {
  root: ListedRoute
  /** Ids of the routes that the alert takes. */
  taken: readonly string[]
}): ReactNode {
  const { routing } = useTexts()
  return (
    <section className={classes.tree} aria-label={routing.tree}>
      <ul>
        <Branch route={root} taken={taken} />
      </ul>
    </section>
  )
}

function Branch({ route, taken }: { route: ListedRoute; taken: readonly string[] }): ReactNode {
  const { routing, alerts } = useTexts()
  const [isOpen, setOpen] = useState(true)
  const { receiver, matchers, groupBy, mutedBy, counts, routes } = route
  const isTaken = taken.includes(route.id)
  const state = isTaken ? 'taken' : isOnPath(route, taken) ? 'on-path' : undefined
  const below = alertsBelow(route)
  const times = [route.groupWaitMs, route.groupIntervalMs, route.repeatIntervalMs]
  return (
    <li className={classes.branch} data-state={state}>
      <div className={classes.route}>
        {routes.length > 0 && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={routing.below(receiver)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '−' : '+'}
          </button>
        )}
        <div className={classes.body}>
          <div className={classes.line}>
            {matchers.length === 0 ? (
              <span className={classes.quiet}>{routing.all}</span>
            ) : (
              matchers.map((matcher) => (
                <code key={matcher}>
                  <bdi>{visible(matcher)}</bdi>
                </code>
              ))
            )}
            <strong>
              → <bdi>{visible(receiver)}</bdi>
            </strong>
            {isTaken && (
              <span className={classes.badge}>
                <Icon name="check" size={12} /> {routing.taken}
              </span>
            )}
            {mutedBy.length > 0 && <span className={classes.badge}>{routing.muted(mutedBy)}</span>}
            {route.continue && <span className={classes.quiet}>{routing.continues}</span>}
          </div>
          <div className={classes.quiet}>
            {alerts.count(counts.alerts)}
            {below > counts.alerts && ` (${routing.withBelow(below)})`} ·{' '}
            {routing.groupedBy(groupBy)} ·{' '}
            <span title={routing.times}>{times.map(shortDuration).join(' / ')}</span>
          </div>
        </div>
      </div>
      {isOpen && routes.length > 0 && (
        <ul>
          {routes.map((child) => (
            <Branch key={child.id} route={child} taken={taken} />
          ))}
        </ul>
      )}
    </li>
  )
}
