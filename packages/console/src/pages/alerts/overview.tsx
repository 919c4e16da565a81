import type { AlertSummary } from '@gatehouse/client'
import type { MouseEvent, ReactNode } from 'react'
import { severityOf } from '../../alerts/severity.ts'
import { severityLabel } from '../../data/services.ts'
import { useRememberedParameter } from '../../route/route.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import classes from './overview.module.css'

/** Adds a value of a label to the filter, or excludes it. */
type Pick = (name: string, value: string, isEqual: boolean) => void

/** Counts of the firing alerts by severity and label. A click on a count filters the alerts by it. */
export function Overview({ summary, onPick }: { summary: AlertSummary; onPick: Pick }): ReactNode {
  const { overview } = useTexts().alerts
  const [labels, setLabels] = useRememberedParameter('labels')
  const { severities, total, active, silenced, inhibited, acknowledged, recent } = summary
  const isOpen = labels === 'open'
  const states = Object.entries({ active, silenced, inhibited, acknowledged, recent })
  if (total === 0) return null
  return (
    <section className={classes.overview} aria-label={overview.title}>
      <div className={classes.strip}>
        {severities.map(({ value, alerts }) => (
          <Count
            key={value}
            name={severityLabel}
            value={value}
            alerts={alerts}
            onPick={onPick}
            severity={severityOf({ severity: value })}
          />
        ))}
        {states.map(
          ([state, alerts]) =>
            alerts > 0 && (
              <span key={state} className={classes.state} data-state={state}>
                {overview.states[state as keyof typeof overview.states](alerts)}
              </span>
            ),
        )}
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          onClick={() => setLabels(isOpen ? 'folded' : 'open')}
        >
          {overview.labels}
        </button>
      </div>
      {isOpen && <TopLabels summary={summary} onPick={onPick} />}
    </section>
  )
}

/** The labels that tell alerts apart, each with its most frequent values and their share. */
function TopLabels({
  summary: { labels, total },
  onPick,
}: {
  summary: AlertSummary
  onPick: Pick
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
  onPick: Pick
  severity?: string
  children?: ReactNode
}): ReactNode {
  const { overview } = useTexts().alerts
  const number = new Intl.NumberFormat(useLanguage()).format(alerts)
  return (
    <button
      type="button"
      className={classes.count}
      data-severity={severity}
      title={overview.filters(name, clip(value, 60))}
      onClick={({ altKey }: MouseEvent) => onPick(name, value, !altKey)}
    >
      <bdi>{value === '' ? overview.without(name) : clip(value, 60)}</bdi> <b>{number}</b>
      {children}
    </button>
  )
}
