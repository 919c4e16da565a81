import type { Alert } from '@gatehouse/client'
import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useState } from 'react'
import { type Card, commonLabels } from '../../alerts/group-alerts.ts'
import type { May } from '../../data/me.ts'
import { severityLabel } from '../../data/services.ts'
import { toSilence } from '../../silence-form/silence-draft.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Labels } from '../../widgets/labels.tsx'
import { AllowedButton } from '../../widgets/may-button.tsx'
import classes from './alert-cards.module.css'
import { AlertItem } from './alert-item.tsx'
import { isAllAcknowledged, TakeBack } from './alert-state.tsx'
import { GroupTimeline } from './group-timeline.tsx'
import { type ListActions, useHere } from './list-actions.ts'

/** In CSS pixels. */
const narrowest = 400
const gap = 12
const shownAtFirst = 4
/** A card of thousands grows by so many alerts at once. */
const shownMore = 50

/** Cards in as many columns as fit, each below the shortest column. Only cards near the window are in the document. */
export function AlertCards({
  cards,
  isFolded,
  onFold,
  ...actions
}: {
  cards: readonly Card[]
  isFolded: (key: string) => boolean
  onFold: (key: string) => void
} & ListActions): ReactNode {
  const { ref, width } = useElementSize()
  const lanes = Math.max(1, Math.floor((width + gap) / (narrowest + gap)))
  const virtual = useWindowVirtualizer({
    count: width === 0 ? 0 : cards.length,
    lanes,
    gap,
    estimateSize: () => 280,
    overscan: lanes * 2,
    useFlushSync: false,
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
            <AlertCard card={card} isFolded={isFolded(card.key)} onFold={onFold} {...actions} />
          </div>
        )
      })}
    </div>
  )
}

/** Renders again only when its alerts or the selection changed, not while the list scrolls. */
const AlertCard = memo(function AlertCard({
  card,
  isFolded,
  onFold,
  ...actions
}: { card: Card; isFolded: boolean; onFold: (key: string) => void } & ListActions): ReactNode {
  const texts = useTexts()
  const [most, setMost] = useState(shownAtFirst)
  const [hasTimeline, setTimeline] = useState(false)
  const { onPick, onSilence, onAcknowledge, maySilence, mayAcknowledge } = actions
  const { alerts, labels, receiver, severity } = card
  const { own, mayHere } = useHere(alerts)
  // Each alert says its severity.
  const { [severityLabel]: _, ...common } = alerts.length > 1 ? commonLabels(alerts) : {}
  const shared = { ...common, ...labels }
  const shown = alerts.slice(0, most)
  return (
    <section className={classes.card} data-severity={severity}>
      <header className={classes.head}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={!isFolded}
          aria-label={isFolded ? texts.alerts.unfold : texts.alerts.fold}
          onClick={() => onFold(card.key)}
        >
          <Icon name={isFolded ? 'right' : 'down'} size={16} />
        </button>
        <div className={classes.title}>
          {Object.keys(shared).length === 0 ? (
            <span className={classes.quiet}>{texts.alerts.noLabels}</span>
          ) : (
            <Labels labels={shared} onPick={onPick} />
          )}
        </div>
        <span className={classes.quiet}>
          {texts.alerts.count(alerts.length)}
          {receiver !== undefined && <bdi> → {receiver}</bdi>}
        </span>
      </header>
      {!isFolded && (
        <>
          <ul className={classes.alerts}>
            {shown.map((alert) => (
              <AlertItem
                key={alert.fingerprint}
                alert={alert}
                shared={Object.keys(shared)}
                isOnly={alerts.length === 1}
                hasReceivers={receiver === undefined}
                {...actions}
              />
            ))}
          </ul>
          <footer className={classes.foot}>
            <AllowedButton
              {...small}
              may={mayHere(maySilence)}
              leftSection={<Icon name="bellOff" size={14} />}
              aria-label={texts.alerts.silenceGroup}
              onClick={() => onSilence(toSilence(own).map(({ fingerprint }) => fingerprint))}
            >
              {texts.alerts.silence}
            </AllowedButton>
            <CardAcknowledgement
              alerts={own}
              may={mayHere(mayAcknowledge)}
              onAcknowledge={onAcknowledge}
            />
            {card.isGroup && own.length > 0 && (
              <Button
                {...small}
                leftSection={<Icon name="clock" size={14} />}
                aria-expanded={hasTimeline}
                onClick={() => setTimeline(!hasTimeline)}
              >
                {texts.timeline.open}
              </Button>
            )}
            {alerts.length > most && (
              <Button {...small} aria-expanded={false} onClick={() => setMost(most + shownMore)}>
                {texts.alerts.more(Math.min(shownMore, alerts.length - most))}
              </Button>
            )}
            {most > shownAtFirst && (
              <Button {...small} aria-expanded onClick={() => setMost(shownAtFirst)}>
                {texts.alerts.fewer}
              </Button>
            )}
          </footer>
          {hasTimeline && <GroupTimeline labels={labels} receiver={receiver} />}
        </>
      )}
    </section>
  )
})

/** Acknowledges all alerts of a card, or takes that back once all are; a single alert says so itself. */
function CardAcknowledgement({
  alerts,
  may,
  onAcknowledge,
}: { alerts: readonly Alert[]; may: May } & Pick<ListActions, 'onAcknowledge'>): ReactNode {
  const { acknowledge } = useTexts()
  const fingerprints = alerts.map(({ fingerprint }) => fingerprint)
  if (isAllAcknowledged(alerts)) {
    if (alerts.length === 1) return null
    return <TakeBack fingerprints={fingerprints} label={acknowledge.takeGroupBack} may={may} />
  }
  return (
    <AllowedButton
      {...small}
      may={may}
      leftSection={<Icon name="check" size={14} />}
      aria-label={acknowledge.group}
      onClick={() => onAcknowledge(fingerprints)}
    >
      {acknowledge.do}
    </AllowedButton>
  )
}

const small = { size: 'compact-xs', variant: 'subtle' } as const
