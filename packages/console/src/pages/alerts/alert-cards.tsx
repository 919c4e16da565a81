import type { AccessAction } from '@gatehouse/client'
import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useState } from 'react'
import { type Card, commonLabels } from '../../alerts/group-alerts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon, type IconName } from '../../widgets/icon.tsx'
import { Labels } from '../../widgets/labels.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import classes from './alert-cards.module.css'
import { AlertItem } from './alert-item.tsx'
import { GroupTimeline } from './group-timeline.tsx'
import type { ListActions } from './list-actions.ts'

/** In CSS pixels. */
const narrowest = 400
const gap = 12
const shownAtFirst = 4

/** Cards in as many columns as fit, each below the shortest column. Only cards near the window are in the document. */
export function AlertCards({
  cards,
  ...actions
}: { cards: readonly Card[] } & ListActions): ReactNode {
  const { ref, width } = useElementSize()
  const lanes = Math.max(1, Math.floor((width + gap) / (narrowest + gap)))
  const virtual = useWindowVirtualizer({
    count: width === 0 ? 0 : cards.length,
    lanes,
    gap,
    estimateSize: () => 320,
    overscan: lanes * 2,
    getItemKey: (index) => cards[index]?.key ?? index,
  })
  const cardWidth = (width - gap * (lanes - 1)) / lanes
  return (
    <div ref={ref} className={classes.list} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, lane, start }) => {
        const card = cards[index]
        if (card === undefined) return null
        const place = {
          width: cardWidth,
          transform: `translate(${lane * (cardWidth + gap)}px, ${start}px)`,
        }
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={classes.place}
            style={place}
          >
            <AlertCard card={card} {...actions} />
          </div>
        )
      })}
    </div>
  )
}

function AlertCard({
  card,
  onPick,
  onSilence,
  onAcknowledge,
  selection,
}: { card: Card } & ListActions): ReactNode {
  const texts = useTexts()
  const [isWhole, setWhole] = useState(false)
  const [hasTimeline, setTimeline] = useState(false)
  const act = (action: (fingerprints: readonly string[]) => void) => () =>
    action(alerts.map(({ fingerprint }) => fingerprint))
  const { alerts, labels, receiver, severity } = card
  const common = alerts.length > 1 ? commonLabels(alerts) : {}
  const shared = { ...common, ...labels }
  const shown = isWhole ? alerts : alerts.slice(0, shownAtFirst)
  const rest = alerts.length - shown.length
  return (
    <section className={classes.card} data-severity={severity}>
      <header className={classes.head}>
        <div className={classes.title}>
          {Object.keys(shared).length === 0 ? (
            <span className={classes.quiet}>{texts.alerts.noLabels}</span>
          ) : (
            <Labels labels={shared} onPick={onPick} />
          )}
        </div>
        <CardAction
          action="alerts:acknowledge"
          icon="check"
          text={texts.acknowledge.do}
          label={texts.acknowledge.group}
          onClick={act(onAcknowledge)}
        />
        <CardAction
          action="silences:write"
          icon="bellOff"
          text={texts.alerts.silence}
          label={texts.alerts.silenceGroup}
          onClick={act(onSilence)}
        />
      </header>
      <ul className={classes.alerts}>
        {shown.map((alert) => (
          <AlertItem
            key={alert.fingerprint}
            alert={alert}
            shared={shared}
            {...{ onPick, onSilence, onAcknowledge, selection }}
          />
        ))}
      </ul>
      <footer className={classes.foot}>
        <span>
          {texts.alerts.count(alerts.length)}
          {receiver !== undefined && ` → ${receiver}`}
        </span>
        <span className={classes.footActions}>
          {(rest > 0 || isWhole) && alerts.length > shownAtFirst && (
            <Button size="compact-sm" variant="subtle" onClick={() => setWhole(!isWhole)}>
              {isWhole ? texts.alerts.fewer : texts.alerts.more(rest)}
            </Button>
          )}
          {card.isGroup && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Icon name="clock" size={14} />}
              aria-expanded={hasTimeline}
              onClick={() => setTimeline(!hasTimeline)}
            >
              {texts.timeline.open}
            </Button>
          )}
        </span>
      </footer>
      {hasTimeline && <GroupTimeline labels={labels} receiver={receiver} />}
    </section>
  )
}

function CardAction({
  action,
  icon,
  text,
  label,
  onClick,
}: {
  action: AccessAction
  icon: IconName
  text: string
  label: string
  onClick: () => void
}): ReactNode {
  return (
    <MayButton
      action={action}
      size="compact-sm"
      variant="subtle"
      color="gray"
      className={classes.action}
      leftSection={<Icon name={icon} size={14} />}
      aria-label={label}
      onClick={onClick}
    >
      {text}
    </MayButton>
  )
}
