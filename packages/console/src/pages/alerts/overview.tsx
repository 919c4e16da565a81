import type { AlertSummary } from '@gatehouse/client'
import type { MouseEvent, ReactNode } from 'react'
import {
  type AlertState,
  alertStates,
  type ChosenStates,
  isAlone,
  showOnly,
  toggleHidden,
} from '../../alerts/chosen-states.ts'
import { severityOf } from '../../alerts/severity.ts'
import { severityLabel } from '../../data/services.ts'
import { useRememberedParameter } from '../../route/route.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { FiringTrend } from './firing-trend.tsx'
import type { ListActions } from './list-actions.ts'
import classes from './overview.module.css'

/** Counts of the firing alerts by severity, state and label. A click on a count filters the alerts by it. */
export function Overview({
  summary,
  states,
  onStates,
  onPick,
  servers,
  children,
}: {
  /** `undefined` until it is known. */
  summary: Omit<AlertSummary, 'receivers'> | undefined
  states: ChosenStates
  onStates: (text: string) => void
  onPick: ListActions['onPick']
  /** The numbers of other servers. */
  servers: ReactNode
  /** What stands before the numbers. */
  children: ReactNode
}): ReactNode {
  const { overview } = useTexts().alerts
  const [labels, setLabels] = useRememberedParameter('labels')
  const isOpen = labels === 'open'
  const isChosen = states.only !== undefined || states.hidden.size > 0
  return (
    <section className={classes.overview} aria-label={overview.title}>
      <div className={classes.strip}>
        {children}
        {summary?.severities.map(({ value, alerts }) => (
          <Count
            key={value}
            name={severityLabel}
            value={value}
            alerts={alerts}
            onPick={onPick}
            severity={severityOf({ severity: value })}
          />
        ))}
        {summary !== undefined &&
          (summary.total > 0 || isChosen) &&
          alertStates.map((state) => (
            <StateCount
              key={state}
              state={state}
              alerts={summary[state]}
              states={states}
              onStates={onStates}
            />
          ))}
        {servers}
        <FiringTrend />
        {summary !== undefined && summary.total > 0 && (
          <button
            type="button"
            className={classes.fold}
            aria-expanded={isOpen}
            onClick={() => setLabels(isOpen ? 'folded' : 'open')}
          >
            {overview.labels}
          </button>
        )}
      </div>
      {isOpen && summary !== undefined && summary.total > 0 && (
        <TopLabels summary={summary} onPick={onPick} />
      )}
    </section>
  )
}

/** A state with its alerts: a click shows it alone, a click with Alt excludes it, another one takes that back. */
function StateCount({
  state,
  alerts,
  states,
  onStates,
}: {
  state: AlertState
  alerts: number
  states: ChosenStates
  onStates: (text: string) => void
}): ReactNode {
  const { overview } = useTexts().alerts
  const isHidden = states.hidden.has(state)
  const isPressed = isAlone(states, state)
  if (alerts === 0 && !isHidden && !isPressed) return null
  return (
    <button
      type="button"
      className={classes.count}
      data-state={state}
      data-hidden={isHidden}
      aria-pressed={isPressed}
      title={overview.filtersState}
      onClick={({ altKey }: MouseEvent) =>
        onStates(altKey || isHidden ? toggleHidden(states, state) : showOnly(states, state))
      }
    >
      {isHidden ? overview.hidden(overview.names[state]) : overview.states[state](alerts)}
    </button>
  )
}

/** The labels that tell alerts apart, each with its most frequent values and their share. */
function TopLabels({
  summary: { labels, total },
  onPick,
}: {
  summary: Omit<AlertSummary, 'receivers'>
  onPick: ListActions['onPick']
}): ReactNode {
  const { overview } = useTexts().alerts
  const share = new Intl.NumberFormat(useLanguage(), { style: 'percent' })
  return (
    <ul className={classes.labels}>
      {labels
        .filter(({ name, values }) => name !== severityLabel && values.length > 0)
        .map(({ name, distinct, values }) => (
          <li key={name}>
            <h2 className={classes.name}>
              <bdi>{clip(name, 60)}</bdi> <small>{overview.values(distinct)}</small>
            </h2>
            {values.slice(0, shownValues).map(({ value, alerts }) => (
              <Count key={value} name={name} value={value} alerts={alerts} onPick={onPick}>
                <small>{share.format(alerts / total)}</small>
              </Count>
            ))}
          </li>
        ))}
    </ul>
  )
}

const shownValues = 5

/** A value with its alerts: a click adds it to the filter, a click with Alt excludes it. */
function Count({
  name,
  value,
  alerts,
  onPick,
  severity,
  children,
}: {
  name: string
  value: string
  alerts: number
  onPick: ListActions['onPick']
  severity?: string
  children?: ReactNode
}): ReactNode {
  const { overview, addToFilter } = useTexts().alerts
  const number = new Intl.NumberFormat(useLanguage()).format(alerts)
  return (
    <button
      type="button"
      className={classes.count}
      data-severity={severity}
      title={addToFilter(name, clip(value, 60))}
      onClick={({ altKey }: MouseEvent) => onPick(name, value, !altKey)}
    >
      <bdi>{value === '' ? overview.without(name) : clip(value, 60)}</bdi> <b>{number}</b>
      {children}
    </button>
  )
}
