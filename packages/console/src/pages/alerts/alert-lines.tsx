import type { LabelSet } from '@gatehouse/client'
import { memo, type ReactNode, useCallback } from 'react'
import type { Line, Section } from '../../alerts/lines.ts'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import { severityOf } from '../../alerts/severity.ts'
import { severityLabel } from '../../data/services.ts'
import { toSilence } from '../../silence-form/silence-draft.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Labels } from '../../widgets/labels.tsx'
import { useVirtualRows } from '../../widgets/use-virtual-rows.ts'
import { IconButton } from './alert-item.tsx'
import classes from './alert-lines.module.css'
import { isAllAcknowledged, useTakeBack } from './alert-state.tsx'
import { AlertDetails } from './alert-text.tsx'
import { Age, ServerBadge, SeverityBadge, StateBadges } from './badges.tsx'
import { type ListActions, type OpenRows, useHere } from './list-actions.ts'
import { SelectBox } from './select-box.tsx'
import { onRowKey } from './use-kept-focus.ts'

/** In CSS pixels, as in the style sheet. A finger needs more room than a mouse. */
const isTouched = matchMedia('(pointer: coarse)').matches
const heights = isTouched
  ? { section: 36, group: 36, alert: 32 }
  : { section: 28, group: 24, alert: 22 }

const shownValues = 3

/** Alerts in one line each, below a line for their group. Only lines near the window are in the document. */
export function AlertLines({
  lines,
  rows,
  onFold,
  isFolded,
  ...actions
}: {
  lines: readonly Line[]
  rows: OpenRows
  onFold: (key: string) => void
  isFolded: (key: string) => boolean
} & ListActions): ReactNode {
  const texts = useTexts()
  const isOpen = useCallback(
    (line: Line) => line.kind === 'alert' && rows.ids.has(line.alert.fingerprint),
    [rows.ids],
  )
  const { list, virtual, placeOf } = useVirtualRows<HTMLUListElement>({
    count: lines.length,
    heightOf: useCallback((index: number) => heights[lines[index]?.kind ?? 'alert'], [lines]),
    keyOf: useCallback(
      (index: number) => {
        const line = lines[index]
        // An open line has a height of its own.
        return line === undefined ? index : `${line.key}${isOpen(line) ? ' open' : ''}`
      },
      [lines, isOpen],
    ),
  })
  return (
    <ul
      ref={list}
      className={classes.lines}
      data-dense={isTouched ? undefined : true}
      style={{ height: virtual.getTotalSize() }}
      aria-label={texts.pages.alerts}
      onKeyDown={(event) => onRowKey(event, rows.toggle)}
    >
      {virtual.getVirtualItems().map((item) => {
        const line = lines[item.index]
        if (line === undefined) return null
        const place = { style: placeOf(item), 'data-index': item.index }
        if (line.kind === 'section') {
          return (
            <li key={line.key} {...place} className={classes.section}>
              <SectionLine
                section={line.section}
                isFolded={isFolded(line.key)}
                onFold={() => onFold(line.key)}
              />
            </li>
          )
        }
        if (line.kind === 'group') {
          return (
            <li
              key={line.key}
              {...place}
              className={classes.group}
              data-severity={line.card.severity}
            >
              <GroupLine
                line={line}
                isFolded={isFolded(line.key)}
                onFold={() => onFold(line.key)}
                {...actions}
              />
            </li>
          )
        }
        const { fingerprint, labels } = line.alert
        return (
          <li
            key={line.key}
            {...place}
            ref={isOpen(line) ? virtual.measureElement : undefined}
            className={classes.alert}
            data-severity={severityOf(labels, severityLabel)}
            data-fingerprint={fingerprint}
            tabIndex={-1}
          >
            <AlertLine
              alert={line.alert}
              shared={line.shared}
              isOpen={isOpen(line)}
              isSelected={actions.selection.ids.has(fingerprint)}
              onToggle={rows.toggle}
              onSelect={actions.selection.toggle}
              onPick={actions.onPick}
              onSilence={actions.onSilence}
              maySilence={actions.maySilence}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** The labels in which the alerts of a group differ, but for those that a line shows anyway. */
const differing = (labels: LabelSet, shared: readonly string[]): readonly [string, string][] =>
  Object.entries(labels).filter(
    ([name]) => name !== 'alertname' && name !== severityLabel && !shared.includes(name),
  )

/** The values of the labels in which the alerts of a group differ. Their names are in the tooltip, and in the open line. */
function Differing({
  labels,
  shared,
  onPick,
  onMore,
}: {
  labels: LabelSet
  shared: readonly string[]
  onMore: () => void
} & Pick<ListActions, 'onPick'>): ReactNode {
  const { alerts } = useTexts()
  const own = differing(labels, shared)
  return (
    <span className={classes.values}>
      {own.slice(0, shownValues).map(([name, value]) => (
        <button
          key={name}
          type="button"
          title={alerts.addToFilter(name, clip(value))}
          onClick={({ altKey }) => onPick(name, value, !altKey)}
        >
          <bdi>{clip(value, 60)}</bdi>
        </button>
      ))}
      {own.length > shownValues && (
        <button
          type="button"
          className={classes.more}
          title={alerts.moreLabels(own.length - shownValues)}
          onClick={onMore}
        >
          +{own.length - shownValues}
        </button>
      )}
    </span>
  )
}

function FoldButton({
  isFolded,
  of,
  onFold,
}: {
  isFolded: boolean
  /** The name of the group or the section. */
  of: string
  onFold: () => void
}): ReactNode {
  const { alerts } = useTexts()
  const label = `${isFolded ? alerts.unfold : alerts.fold}: ${of}`
  return (
    <button
      type="button"
      className={classes.fold}
      aria-expanded={!isFolded}
      aria-label={label}
      title={label}
      onClick={onFold}
    >
      <Icon name={isFolded ? 'right' : 'down'} size={14} />
    </button>
  )
}

function SectionLine({
  section: { label, value, count },
  isFolded,
  onFold,
}: {
  section: Section
  isFolded: boolean
  onFold: () => void
}): ReactNode {
  const { alerts } = useTexts()
  const name = value === '' ? alerts.overview.without(label) : clip(value, 100)
  return (
    <>
      <FoldButton isFolded={isFolded} of={name} onFold={onFold} />
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <span className={classes.quiet}>{alerts.count(count)}</span>
    </>
  )
}

function GroupLine({
  line: { card, shared },
  isFolded,
  onFold,
  onPick,
  onSilence,
  onAcknowledge,
  maySilence,
  mayAcknowledge,
}: {
  line: Extract<Line, { kind: 'group' }>
  isFolded: boolean
  onFold: () => void
} & Omit<ListActions, 'selection'>): ReactNode {
  const texts = useTexts()
  const { alerts, receiver } = card
  const { own, mayHere } = useHere(alerts)
  const { takeBack, hasFailed } = useTakeBack()
  const fingerprints = own.map(({ fingerprint }) => fingerprint)
  const names = Object.values(shared)
  return (
    <>
      <FoldButton isFolded={isFolded} of={clip(names.join(' '), 60)} onFold={onFold} />
      <span className={classes.labels}>
        {names.length === 0 ? (
          <span className={classes.quiet}>{texts.alerts.noLabels}</span>
        ) : (
          <Labels labels={shared} most={6} onPick={onPick} />
        )}
      </span>
      <span className={classes.quiet}>
        {texts.alerts.count(alerts.length)}
        {receiver !== undefined && <bdi className={classes.receiver}> → {receiver}</bdi>}
      </span>
      {isAllAcknowledged(own) ? (
        <IconButton
          icon="close"
          label={hasFailed ? texts.acknowledge.takeBackFailed : texts.acknowledge.takeGroupBack}
          may={mayHere(mayAcknowledge)}
          onClick={() => takeBack(fingerprints)}
        />
      ) : (
        <IconButton
          icon="check"
          label={texts.acknowledge.group}
          may={mayHere(mayAcknowledge)}
          onClick={() => onAcknowledge(fingerprints)}
        />
      )}
      <IconButton
        icon="bellOff"
        label={texts.alerts.silenceGroup}
        may={mayHere(maySilence)}
        onClick={() => onSilence(toSilence(own).map(({ fingerprint }) => fingerprint))}
      />
    </>
  )
}

/** Renders again only when its alert changed, not while the list scrolls. */
const AlertLine = memo(function AlertLine({
  alert,
  shared,
  isOpen,
  isSelected,
  onToggle,
  onSelect,
  onPick,
  onSilence,
  maySilence,
}: {
  alert: ShownAlert
  shared: readonly string[]
  isOpen: boolean
  isSelected: boolean
  onToggle: (fingerprint: string) => void
  onSelect: (fingerprint: string) => void
} & Pick<ListActions, 'onPick' | 'onSilence' | 'maySilence'>): ReactNode {
  const texts = useTexts()
  const { labels, annotations, fingerprint, startsAt } = alert
  const name = clip(labels.alertname ?? fingerprint, 100)
  const toggle = (): void => onToggle(fingerprint)
  const { summary } = annotations
  // A phone has no room for a name that is that of the group, and for values beside it.
  const values = shared.includes('alertname')
    ? differing(labels, shared).map(([, value]) => clip(value, 60))
    : []
  return (
    <>
      <div className={classes.line}>
        {isHere(alert) ? (
          <SelectBox
            label={texts.alerts.select(name)}
            isChecked={isSelected}
            onChange={() => onSelect(fingerprint)}
          />
        ) : (
          <span />
        )}
        <SeverityBadge labels={labels} onPick={onPick} />
        <button
          type="button"
          className={classes.name}
          aria-expanded={isOpen}
          title={texts.alerts.details(name)}
          onClick={toggle}
        >
          <bdi>{name}</bdi>
          {values.length > 0 && <bdi className={classes.instead}>{values.join(' ')}</bdi>}
        </button>
        <Differing labels={labels} shared={shared} onPick={onPick} onMore={toggle} />
        <span className={classes.summary} title={summary === undefined ? undefined : clip(summary)}>
          {summary !== undefined && <bdi>{clip(summary)}</bdi>}
        </span>
        <span className={classes.state}>
          <ServerBadge alert={alert} />
          <StateBadges alert={alert} onOpen={toggle} />
        </span>
        <span className={classes.since}>
          <Age at={startsAt} />
        </span>
        {isHere(alert) && (
          <IconButton
            icon="bellOff"
            label={`${texts.alerts.silence} ${name}`}
            may={maySilence}
            onClick={() => onSilence([fingerprint])}
          />
        )}
      </div>
      {isOpen && <AlertDetails alert={alert} onPick={onPick} />}
    </>
  )
})
