import type { Alert } from '@gatehouse/client'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode } from 'react'
import { severityLabel } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Labels } from '../../widgets/labels.tsx'
import { Since } from '../../widgets/time.tsx'
import { AlertLinks } from './alert-links.tsx'
import classes from './alert-table.module.css'
import { Acknowledged, SeverityBadge, StateBadge } from './badges.tsx'
import type { ListActions } from './list-actions.ts'
import { SelectBox } from './select-box.tsx'

const rowHeight = 48

/** Alerts in rows of one line. Only the rows near the window are in the document. */
export function AlertTable({
  alerts,
  onPick,
  selection: { ids, toggle, set },
}: { alerts: readonly Alert[] } & ListActions): ReactNode {
  const texts = useTexts()
  const rows = useWindowVirtualizer({
    count: alerts.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    useFlushSync: false,
    getItemKey: (index) => alerts[index]?.fingerprint ?? index,
  })
  const hasAll = ids.size === alerts.length
  return (
    <div className={classes.scroll}>
      <table
        className={classes.table}
        aria-label={texts.pages.alerts}
        aria-rowcount={alerts.length + 1}
      >
        <thead>
          <tr className={classes.head} aria-rowindex={1}>
            <td>
              <SelectBox
                label={texts.alerts.selectAll}
                isChecked={hasAll}
                isPartial={ids.size > 0 && !hasAll}
                onChange={() => set(hasAll ? [] : alerts.map(({ fingerprint }) => fingerprint))}
              />
            </td>
            <th scope="col">{texts.alerts.severity}</th>
            <th scope="col">{texts.alerts.name}</th>
            <th scope="col" className={classes.wide}>
              {texts.alerts.labels}
            </th>
            <th scope="col" className={classes.wide}>
              {texts.alerts.receivers}
            </th>
            <th scope="col">{texts.alerts.state}</th>
            <th scope="col">{texts.alerts.since}</th>
          </tr>
        </thead>
        <tbody className={classes.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const alert = alerts[index]
            return (
              alert !== undefined && (
                <AlertRow
                  key={key}
                  isSelected={ids.has(alert.fingerprint)}
                  onSelect={toggle}
                  {...{ alert, index, start, onPick }}
                />
              )
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Renders again only when its alert changed, not while the list scrolls. */
const AlertRow = memo(function AlertRow({
  alert,
  index,
  start,
  isSelected,
  onSelect,
  onPick,
}: {
  alert: Alert
  index: number
  start: number
  isSelected: boolean
  onSelect: (fingerprint: string) => void
} & Pick<ListActions, 'onPick'>): ReactNode {
  const texts = useTexts()
  const { labels, annotations, fingerprint, receivers, acknowledgement } = alert
  const name = clip(labels.alertname ?? fingerprint, 100)
  const { summary } = annotations
  return (
    <tr
      aria-rowindex={index + 2}
      tabIndex={-1}
      data-fingerprint={fingerprint}
      className={classes.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td>
        <SelectBox
          label={texts.alerts.select(name)}
          isChecked={isSelected}
          onChange={() => onSelect(fingerprint)}
        />
      </td>
      <td>
        <SeverityBadge labels={labels} onPick={onPick} />
      </td>
      <td className={classes.name}>
        <span>
          <bdi>{name}</bdi>
        </span>
        {summary !== undefined && (
          <span className={classes.quiet} title={clip(summary)}>
            <bdi>{clip(summary)}</bdi>
          </span>
        )}
      </td>
      <td className={`${classes.labels} ${classes.wide}`}>
        <Labels labels={labels} without={['alertname', severityLabel]} onPick={onPick} />
        <AlertLinks alert={alert} />
      </td>
      <td className={`${classes.quiet} ${classes.wide}`}>
        <bdi>{receivers.map(({ name }) => name).join(', ')}</bdi>
      </td>
      <td>
        <StateBadge status={alert.status} />
        {acknowledgement !== undefined && <Acknowledged by={acknowledgement} />}
      </td>
      <td className={classes.quiet}>
        <Since at={alert.startsAt} />
      </td>
    </tr>
  )
})
