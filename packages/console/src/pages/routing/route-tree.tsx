import type { ListedRoute } from '@gatehouse/client'
import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { hashOf } from '../../route/route.ts'
import { alertsBelow, findRoutes, isOnPath, routesWithRoutes } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { Icon } from '../../widgets/icon.tsx'
import { visible } from '../../widgets/visible.ts'
import classes from './route-tree.module.css'

/** The routes as a tree that opens and closes, and can be searched. The way of an alert is marked. */
export function RouteTree({
  root,
  taken,
  line,
}: {
  root: ListedRoute
  /** Ids of the routes that the alert takes. */
  taken: readonly string[]
  /** The line of the configuration on which a route begins that is marked; 0 for none. */
  line: number
}): ReactNode {
  const { routing } = useTexts()
  const [word, setWord] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const found = useMemo(
    () => (word.trim() === '' ? undefined : findRoutes(root, word)),
    [root, word],
  )
  const toggle = (id: string): void => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  return (
    <section className={classes.tree} aria-label={routing.tree}>
      {root.routes.length > 0 && (
        <div className={classes.tools}>
          <TextInput
            type="search"
            size="xs"
            aria-label={routing.search}
            placeholder={routing.search}
            leftSection={<Icon name="search" size={14} />}
            value={word}
            onChange={({ currentTarget }) => setWord(currentTarget.value)}
          />
          {/* A search opens all routes. */}
          {found === undefined && (
            <>
              <Button {...small} onClick={() => setClosed(new Set(routesWithRoutes(root)))}>
                {routing.closeAll}
              </Button>
              <Button {...small} onClick={() => setClosed(new Set())}>
                {routing.openAll}
              </Button>
            </>
          )}
        </div>
      )}
      {found?.size === 0 ? (
        <p className={classes.quiet} role="status">
          {routing.noRoute}
        </p>
      ) : (
        <ul>
          <Branch route={root} above={[]} {...{ taken, line, found, closed, toggle }} />
        </ul>
      )}
    </section>
  )
}

const small = { size: 'compact-xs', variant: 'subtle' } as const

interface BranchProps {
  route: ListedRoute
  /** The matchers of the routes above. */
  above: readonly string[]
  taken: readonly string[]
  line: number
  /** Ids of the routes that a search found, and of those above them; `undefined` without a search. */
  found: ReadonlySet<string> | undefined
  closed: ReadonlySet<string>
  toggle: (id: string) => void
}

const showMarked = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'center' })

function Branch({ route, above, ...tree }: BranchProps): ReactNode {
  const { routing, alerts } = useTexts()
  const { taken, found, closed, toggle } = tree
  const isOpen = found !== undefined || !closed.has(route.id)
  const { receiver, matchers, groupBy, mutedBy, counts, routes } = route
  const isTaken = taken.includes(route.id)
  const state = isTaken ? 'taken' : isOnPath(route, taken) ? 'on-path' : undefined
  const below = alertsBelow(route)
  const path = [...above, ...matchers]
  const times = [route.groupWaitMs, route.groupIntervalMs, route.repeatIntervalMs]
  return (
    <li className={classes.branch} data-state={state}>
      <div
        className={classes.route}
        {...(route.line === tree.line && { 'data-marked': true, ref: showMarked })}
      >
        {routes.length > 0 && found === undefined && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={routing.below(receiver)}
            onClick={() => toggle(route.id)}
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
            <a href={hashOf(['alerts'], { filter: path.join(', ') })} title={routing.itsAlerts}>
              {alerts.count(counts.alerts)}
            </a>
            {below > counts.alerts && ` (${routing.withBelow(below)})`} ·{' '}
            {routing.groupedBy(groupBy)} ·{' '}
            <span title={routing.times}>{times.map(shortDuration).join(' / ')}</span>
            {route.line !== undefined && (
              <>
                {' · '}
                <a href={hashOf(['status'], { line: String(route.line) })}>
                  {routing.line(route.line)}
                </a>
              </>
            )}
          </div>
        </div>
      </div>
      {isOpen && routes.length > 0 && (
        <ul>
          {routes
            .filter(({ id }) => found?.has(id) !== false)
            .map((child) => (
              <Branch key={child.id} route={child} above={path} {...tree} />
            ))}
        </ul>
      )}
    </li>
  )
}
