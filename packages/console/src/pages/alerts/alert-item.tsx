import { ActionIcon } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import type { May } from '../../data/me.ts'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { Icon, type IconName } from '../../widgets/icon.tsx'
import classes from './alert-cards.module.css'
import { AlertText } from './alert-text.tsx'
import { Acknowledged, Age, ServerBadge, SeverityBadge, StateBadge } from './badges.tsx'
import type { ListActions } from './list-actions.ts'
import { SelectBox } from './select-box.tsx'
import { useFiringRenewal } from './use-alert-groups.ts'

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
  const { labels, fingerprint, startsAt, status, acknowledgement, receivers } = alert
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
          <StateBadge status={status} />
          {acknowledgement !== undefined && <Acknowledged by={acknowledgement} />}
          <span className={classes.quiet}>
            <Age at={startsAt} words={texts.alerts.firingFor} />
            {hasReceivers && <bdi> → {receivers.map(({ name }) => name).join(', ')}</bdi>}
          </span>
        </div>
        <AlertText alert={alert} shared={shared} onPick={onPick} />
      </div>
      {isOwn && acknowledgement !== undefined && (
        <Unacknowledge fingerprint={fingerprint} name={name} may={mayAcknowledge} />
      )}
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

function Unacknowledge({
  fingerprint,
  name,
  may,
}: {
  fingerprint: string
  name: string
  may: May
}): ReactNode {
  const { acknowledge } = useTexts()
  const takeBack = useMutation({
    mutationFn: () => client.alerts.unacknowledge({ fingerprint }),
    onSettled: useFiringRenewal(),
  })
  const label = `${acknowledge.takeBack}: ${name}`
  if (!may.allowed) {
    return <IconButton icon="check" label={label} may={may} onClick={() => {}} />
  }
  return (
    <ActionIcon
      variant="light"
      aria-label={label}
      title={label}
      loading={takeBack.isPending}
      onClick={() => takeBack.mutate()}
    >
      <Icon name="check" size={16} />
    </ActionIcon>
  )
}
