import type { Alert } from '@gatehouse/client'
import { Checkbox } from '@mantine/core'
import {
  type ComponentProps,
  type CSSProperties,
  memo,
  type ReactNode,
  useCallback,
  useMemo,
  useState,
} from 'react'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import {
  nextSort,
  readColumns,
  readSort,
  type Sort,
  sortAlerts,
  writeColumns,
} from '../../alerts/sort-alerts.ts'
import { severityLabel } from '../../data/services.ts'
import { useRememberedParameter } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Labels } from '../../widgets/labels.tsx'
import { useVirtualRows } from '../../widgets/use-virtual-rows.ts'
import { AlertLinks } from './alert-links.tsx'
import classes from './alert-table.module.css'
import { AlertDetails } from './alert-text.tsx'
import { Age, ServerBadge, SeverityBadge, StateBadges } from './badges.tsx'
import type { ListActions, OpenRows } from './list-actions.ts'
import { SelectBox } from './select-box.tsx'
import { onRowKey } from './use-kept-focus.ts'

const rowHeight = 52
/** An address and a screen have room for so many columns. */
const maxColumns = 8
/** Labels before `+n`. */
const shownLabels = 3

/** Alerts in rows, sorted by a column. Only the rows near the window are in the document. */
export default function AlertTable({
  alerts: unsorted,
  names,
  rows,
  onPick,
  selection: { ids, toggle, set },
}: {
  alerts: readonly Alert[]
  /** Names of labels to choose columns from. */
  names: readonly string[]
  rows: OpenRows
} & ListActions): ReactNode {
  const texts = useTexts()
  const [sortText, setSort] = useRememberedParameter('sort')
  const [columnsText, setColumns] = useRememberedParameter('columns')
  const columns = useMemo(() => readColumns(columnsText).slice(0, maxColumns), [columnsText])
  const sort = readSort(sortText)
  const alerts = useMemo(
    () => sortAlerts(unsorted, readSort(sortText), severityLabel),
    [unsorted, sortText],
  )
  const { list, virtual, placeOf } = useVirtualRows<HTMLTableSectionElement>({
    count: alerts.length,
    heightOf: useCallback(() => rowHeight, []),
    keyOf: useCallback(
      (index: number) => {
        const { fingerprint } = alerts[index] ?? {}
        if (fingerprint === undefined) return index
        // An open row has a height of its own.
        return rows.ids.has(fingerprint) ? `${fingerprint} open` : fingerprint
      },
      [alerts, rows.ids],
    ),
  })
  const selectable = useMemo(() => alerts.filter(isHere), [alerts])
  const hasAll = ids.size === selectable.length
  const selectAll = {
    isChecked: hasAll,
    isPartial: ids.size > 0 && !hasAll,
    onChange: () => set(hasAll ? [] : selectable.map(({ fingerprint }) => fingerprint)),
  }
  const grid = {
    '--columns': columns.map(() => 'minmax(6rem, 2fr)').join(' '),
  } as CSSProperties
  return (
    <>
      <ColumnChoice
        names={names}
        chosen={columns}
        onChange={(chosen) => setColumns(writeColumns(chosen))}
      />
      <div className={classes.scroll} style={grid}>
        <table
          className={classes.table}
          aria-label={texts.pages.alerts}
          aria-rowcount={alerts.length + 1}
        >
          <thead>
            <HeadRow {...{ columns, sort, selectAll }} onSort={setSort} />
          </thead>
          <tbody
            ref={list}
            className={classes.rows}
            style={{ height: virtual.getTotalSize() }}
            onKeyDown={(event) => onRowKey(event, rows.toggle)}
          >
            {virtual.getVirtualItems().map((item) => {
              const alert = alerts[item.index]
              if (alert === undefined) return null
              const isOpen = rows.ids.has(alert.fingerprint)
              return (
                <tr
                  key={alert.fingerprint}
                  ref={isOpen ? virtual.measureElement : undefined}
                  data-index={item.index}
                  aria-rowindex={item.index + 2}
                  tabIndex={-1}
                  data-fingerprint={alert.fingerprint}
                  className={classes.row}
                  style={placeOf(item)}
                >
                  <AlertCells
                    isSelected={ids.has(alert.fingerprint)}
                    onSelect={toggle}
                    onToggle={rows.toggle}
                    {...{ alert, columns, isOpen, onPick }}
                  />
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The heads of all columns. */
function HeadRow({
  columns,
  sort,
  selectAll,
  onSort,
}: {
  /** Labels with a column of their own. */
  columns: readonly string[]
  sort: Sort
  selectAll: Omit<ComponentProps<typeof SelectBox>, 'label'>
  onSort: (text: string) => void
}): ReactNode {
  const { alerts: texts } = useTexts()
  const head = { sort, onSort: (column: string) => onSort(nextSort(sort, column)) }
  return (
    <tr className={classes.head} aria-rowindex={1}>
      <td>
        <SelectBox label={texts.selectAll} {...selectAll} />
      </td>
      <Head column="severity" label={texts.severity} {...head} />
      <Head column="name" label={texts.name} {...head} />
      {columns.map((name) => (
        <Head key={name} column={`label:${name}`} label={clip(name, 40)} isWide {...head} />
      ))}
      <th scope="col" className={classes.wide}>
        {texts.labels}
      </th>
      <Head column="receivers" label={texts.receivers} isWide {...head} />
      <Head column="state" label={texts.state} {...head} />
      <Head column="since" label={texts.since} {...head} />
    </tr>
  )
}

/** The head of a column, which sorts by it. */
function Head({
  column,
  label,
  isWide = false,
  sort: { by, isDescending },
  onSort,
}: {
  column: string
  label: string
  /** Whether a phone does without it. */
  isWide?: boolean
  sort: Sort
  onSort: (column: string) => void
}): ReactNode {
  const isSorted = by === column
  const order = isDescending ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      className={isWide ? classes.wide : undefined}
      aria-sort={isSorted ? order : undefined}
    >
      <button type="button" className={classes.sort} onClick={() => onSort(column)}>
        <bdi>{label}</bdi>
        {isSorted && <Icon name={isDescending ? 'up' : 'down'} size={12} />}
      </button>
    </th>
  )
}

/** Which labels have a column of their own. */
function ColumnChoice({
  names,
  chosen,
  onChange,
}: {
  names: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}): ReactNode {
  const { alerts } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const offered = [...new Set([...chosen, ...names])].filter(
    (name) => name !== 'alertname' && name !== severityLabel,
  )
  return (
    <div className={classes.choice}>
      <button
        type="button"
        className={classes.choose}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {alerts.columns}
      </button>
      {isOpen && (
        <fieldset className={classes.columns}>
          <legend>{alerts.columnsOfLabels}</legend>
          {offered.map((name) => {
            const isChosen = chosen.includes(name)
            return (
              <Checkbox
                key={name}
                size="xs"
                label={clip(name, 40)}
                checked={isChosen}
                disabled={!isChosen && chosen.length >= maxColumns}
                onChange={() =>
                  onChange(isChosen ? chosen.filter((one) => one !== name) : [...chosen, name])
                }
              />
            )
          })}
        </fieldset>
      )}
    </div>
  )
}

/** Renders again only when its alert changed, not while the list scrolls. */
const AlertCells = memo(function AlertCells({
  alert,
  columns,
  isOpen,
  isSelected,
  onSelect,
  onToggle,
  onPick,
}: {
  alert: ShownAlert
  columns: readonly string[]
  isOpen: boolean
  isSelected: boolean
  onSelect: (fingerprint: string) => void
  onToggle: (fingerprint: string) => void
} & Pick<ListActions, 'onPick'>): ReactNode {
  const texts = useTexts()
  const { labels, annotations, fingerprint, receivers } = alert
  const name = clip(labels.alertname ?? fingerprint, 100)
  const toggle = (): void => onToggle(fingerprint)
  const { summary } = annotations
  return (
    <>
      <td>
        {isHere(alert) && (
          <SelectBox
            label={texts.alerts.select(name)}
            isChecked={isSelected}
            onChange={() => onSelect(fingerprint)}
          />
        )}
      </td>
      <td>
        <SeverityBadge labels={labels} onPick={onPick} />
      </td>
      <td className={classes.name}>
        <button
          type="button"
          className={classes.open}
          aria-expanded={isOpen}
          title={texts.alerts.details(name)}
          onClick={toggle}
        >
          <bdi>{name}</bdi>
        </button>
        {summary !== undefined && (
          <span className={classes.quiet} title={clip(summary)}>
            <bdi>{clip(summary)}</bdi>
          </span>
        )}
      </td>
      {columns.map((column) => (
        <td key={column} className={classes.wide}>
          <Value name={column} value={labels[column]} onPick={onPick} />
        </td>
      ))}
      <td className={`${classes.labels} ${classes.wide}`}>
        <Labels
          labels={labels}
          without={['alertname', severityLabel, ...columns]}
          most={shownLabels}
          onPick={onPick}
          onMore={toggle}
        />
        <AlertLinks alert={alert} />
      </td>
      <td className={`${classes.quiet} ${classes.wide}`}>
        <bdi>{clip(receivers.map(({ name }) => name).join(', '))}</bdi>
      </td>
      <td>
        <ServerBadge alert={alert} />
        <StateBadges alert={alert} onOpen={toggle} />
      </td>
      <td className={classes.quiet}>
        <Age at={alert.startsAt} />
      </td>
      {isOpen && (
        <td className={classes.details}>
          <AlertDetails alert={alert} onPick={onPick} />
        </td>
      )}
    </>
  )
})

/** The value of a label in its column. */
function Value({
  name,
  value,
  onPick,
}: {
  name: string
  value: string | undefined
} & Pick<ListActions, 'onPick'>): ReactNode {
  const { alerts } = useTexts()
  if (value === undefined) return null
  return (
    <button
      type="button"
      className={classes.value}
      title={alerts.addToFilter(name, clip(value))}
      onClick={({ altKey }) => onPick(name, value, !altKey)}
    >
      <bdi>{clip(value)}</bdi>
    </button>
  )
}
