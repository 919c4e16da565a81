import type { Acknowledgement, AlertStatus, LabelSet } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { severityOf } from '../../alerts/severity.ts'
import { useTexts } from '../../texts/texts.ts'
import classes from './badges.module.css'

/** The severity, in words and a colour. */
export function SeverityBadge({
  labels,
  label = 'severity',
}: {
  labels: LabelSet
  label?: string
}): ReactNode {
  const value = labels[label]
  if (value === undefined) return null
  return (
    <span className={classes.badge} data-severity={severityOf(labels, label)}>
      <bdi>{value}</bdi>
    </span>
  )
}

/** Why an alert is suppressed, if it is. */
export function StateBadge({ status }: { status: AlertStatus }): ReactNode {
  const { states } = useTexts().alerts
  if (status.state !== 'suppressed') return null
  return (
    <span className={classes.state}>
      {status.silencedBy.length > 0 ? states.silenced : states.inhibited}
    </span>
  )
}

/** Who takes care of an alert. */
export function Acknowledged({ by }: { by: Acknowledgement }): ReactNode {
  const { acknowledge } = useTexts()
  return (
    <span className={classes.state}>
      <bdi>{acknowledge.acknowledgedBy(by.by)}</bdi>
    </span>
  )
}
