import type { ReactNode } from 'react'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import type { May } from '../../data/me.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Icon, type IconName } from '../../widgets/icon.tsx'
import classes from './alert-cards.module.css'
import { AlertState } from './alert-state.tsx'
import { AlertText } from './alert-text.tsx'
import { Age, ServerBadge, SeverityBadge } from './badges.tsx'
import type { ListActions } from './list-actions.ts'
import { SelectBox } from './select-box.tsx'

/** One alert of a card. */
export function AlertItem({
  alert,
  shared,
  isOnly,
  hasReceivers,
  onPick,
  onSilence,
  onAcknowledge,
  maySilence,
  mayAcknowledge,
  selection,
}: {
  alert: ShownAlert
  /** Labels that the card has. */
  shared: readonly string[]
  /** Whether the card has no other alert: then its buttons do the same. */
  isOnly: boolean
  /** Whether to name the receivers. */
  hasReceivers: boolean
} & ListActions): ReactNode {
  const texts = useTexts()
  const { labels, fingerprint, startsAt, acknowledgement, receivers } = alert
  const name = clip(labels.alertname ?? fingerprint, 100)
  const isOwn = isHere(alert)
  return (
    <li className={classes.alert} tabIndex={-1} data-fingerprint={fingerprint}>
      {isOwn && (
        <SelectBox
          label={texts.alerts.select(name)}
          isChecked={selection.ids.has(fingerprint)}
          onChange={() => selection.toggle(fingerprint)}
        />
      )}
      <div className={classes.body}>
        <div className={classes.line}>
          <SeverityBadge labels={labels} onPick={onPick} />
          <ServerBadge alert={alert} />
          <span className={classes.quiet}>
            <Age at={startsAt} words={texts.alerts.firingFor} />
            {hasReceivers && <bdi> → {receivers.map(({ name }) => name).join(', ')}</bdi>}
          </span>
        </div>
        <AlertState alert={alert} />
        <AlertText alert={alert} shared={shared} onPick={onPick} />
      </div>
      {isOwn && acknowledgement === undefined && !isOnly && (
        <IconButton
          icon="check"
          label={`${texts.acknowledge.do}: ${name}`}
          may={mayAcknowledge}
          onClick={() => onAcknowledge([fingerprint])}
        />
      )}
      {isOwn && !isOnly && (
        <IconButton
          icon="bellOff"
          label={`${texts.alerts.silence} ${name}`}
          may={maySilence}
          onClick={() => onSilence([fingerprint])}
        />
      )}
    </li>
  )
}

/** The browser's own button costs least in a long list. */
export function IconButton({
  icon,
  label,
  may: { allowed, reason },
  onClick,
}: {
  icon: IconName
  label: string
  may: May
  onClick: () => void
}): ReactNode {
  return (
    <button
      type="button"
      className={classes.icon}
      aria-label={label}
      aria-disabled={!allowed}
      title={allowed ? label : reason}
      onClick={allowed ? onClick : undefined}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}
