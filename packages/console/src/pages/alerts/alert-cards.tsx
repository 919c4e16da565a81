import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useState } from 'react'
import { type Card, commonLabels } from '../../alerts/group-alerts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Labels } from '../../widgets/labels.tsx'
import classes from './alert-cards.module.css'
import { AlertItem } from './alert-item.tsx'
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
  selection,
}: { card: Card } & ListActions): ReactNode {
  const texts = useTexts()
  const [isWhole, setWhole] = useState(false)
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
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes.action}
          leftSection={<Icon name="bellOff" size={14} />}
          aria-label={texts.alerts.silenceGroup}
          onClick={() => onSilence(alerts.map(({ fingerprint }) => fingerprint))}
        >
          {texts.alerts.silence}
        </Button>
      </header>
      <ul className={classes.alerts}>
        {shown.map((alert) => (
          <AlertItem
            key={alert.fingerprint}
            alert={alert}
            shared={shared}
            {...{ onPick, onSilence, selection }}
          />
        ))}
      </ul>
      <footer className={classes.foot}>
        <span>
          {texts.alerts.count(alerts.length)}
          {receiver !== undefined && ` → ${receiver}`}
        </span>
        {(rest > 0 || isWhole) && alerts.length > shownAtFirst && (
          <Button size="compact-sm" variant="subtle" onClick={() => setWhole(!isWhole)}>
            {isWhole ? texts.alerts.fewer : texts.alerts.more(rest)}
          </Button>
        )}
      </footer>
    </section>
  )
}
