import type { Alert } from '@gatehouse/client'
import { Checkbox } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Annotation } from '../../widgets/annotation.tsx'
import { Labels } from '../../widgets/labels.tsx'
import { Since } from '../../widgets/time.tsx'
import classes from './alert-table.module.css'
import { Acknowledged, SeverityBadge, StateBadge } from './badges.tsx'
import type { ListActions } from './list-actions.ts'

const rowHeight = 44

/** Alerts in rows of one line. Only the rows near the window are in the document. */
export function AlertTable({
  alerts,
  onPick,
  selection,
}: { alerts: readonly Alert[] } & ListActions): ReactNode {
  const texts = useTexts()
  const rows = useWindowVirtualizer({
    count: alerts.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => alerts[index]?.fingerprint ?? index,
  })
  return (
    <div className={classes.scroll}>
      <table
        className={classes.table}
        aria-label={texts.pages.alerts}
        aria-rowcount={alerts.length + 1}
      >
        <thead>
          <tr className={classes.head} aria-rowindex={1}>
            <td aria-label={texts.alerts.selected(selection.ids.size)} />
            <th scope="col">{texts.alerts.severity}</th>
            <th scope="col">{texts.alerts.name}</th>
            <th scope="col">{texts.alerts.labels}</th>
            <th scope="col">{texts.alerts.state}</th>
            <th scope="col">{texts.alerts.since}</th>
          </tr>
        </thead>
        <tbody className={classes.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const alert = alerts[index]
            if (alert === undefined) return null
            const { labels, annotations, fingerprint } = alert
            const name = labels.alertname ?? fingerprint
            return (
              <tr
                key={key}
                aria-rowindex={index + 2}
                tabIndex={-1}
                data-fingerprint={fingerprint}
                className={classes.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <td>
                  <Checkbox
                    size="xs"
                    aria-label={texts.alerts.select(name)}
                    checked={selection.ids.has(fingerprint)}
                    onChange={() => selection.toggle(fingerprint)}
                  />
                </td>
                <td>
                  <SeverityBadge labels={labels} />
                </td>
                <td className={classes.name}>
                  <bdi>{name}</bdi>
                  {annotations.summary !== undefined && (
                    <span className={classes.quiet}>
                      <Annotation text={annotations.summary} />
                    </span>
                  )}
                </td>
                <td className={classes.labels}>
                  <Labels labels={labels} without={['alertname', 'severity']} onPick={onPick} />
                </td>
                <td>
                  <StateBadge status={alert.status} />
                  {alert.acknowledgement !== undefined && (
                    <Acknowledged by={alert.acknowledgement} />
                  )}
                </td>
                <td className={classes.quiet}>
                  <Since at={alert.startsAt} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
