import type { Run, RunStatus } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Icon, type IconName } from '../../widgets/icon.tsx'
import classes from './webhooks-page.module.css'

const icons: Readonly<Record<RunStatus, IconName>> = {
  queued: 'clock',
  running: 'play',
  succeeded: 'check',
  failed: 'close',
  timed_out: 'clock',
  canceled: 'stop',
  superseded: 'down',
  lost: 'warning',
}

/** The status of a run, with the reason if it did not succeed. */
export function RunStatusBadge({
  run: { status, reason, exit_code, signal },
}: {
  run: Pick<Run, 'status' | 'reason' | 'exit_code' | 'signal'>
}): ReactNode {
  const { webhooks } = useTexts()
  return (
    <span className={classes.status}>
      <span className={classes.badge} data-status={status}>
        <Icon name={icons[status]} size={13} />
        {webhooks.statuses[status]}
      </span>
      {reason !== null && (
        <span className={classes.quiet}>
          {webhooks.reasons[reason](String(exit_code), String(signal))}
        </span>
      )}
    </span>
  )
}
