import type { Alert } from '@gatehouse/client'
import { type ReactNode, useState } from 'react'
import { amtoolCommand, matchersOf, textOfAlert } from '../../alerts/copied-texts.ts'
import { alertsUrl } from '../../data/services.ts'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import classes from './alert-links.module.css'

/** Copies an alert as what one passes on: a text, a link, its matchers, a command. */
export function CopyAlert({ alert }: { alert: Alert }): ReactNode {
  const { copy } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={classes.link}
        aria-expanded={isOpen}
        aria-label={copy.open(clip(alert.labels.alertname ?? alert.fingerprint, 60))}
        onClick={() => setOpen(!isOpen)}
      >
        {copy.as}
      </button>
      {isOpen && <Choices alert={alert} />}
    </>
  )
}

function Choices({ alert }: { alert: Alert }): ReactNode {
  const { copy } = useTexts()
  const { labels } = alert
  const matchers = matchersOf(labels).join(', ')
  const link = new URL(hashOf(['alerts'], { filter: matchers }), location.href).href
  const command = alertsUrl === undefined ? undefined : amtoolCommand(labels, alertsUrl)
  return (
    <span className={classes.copies}>
      <CopyButton {...small} text={textOfAlert(alert)}>
        {copy.text}
      </CopyButton>
      <CopyButton {...small} text={link}>
        {copy.link}
      </CopyButton>
      <CopyButton {...small} text={matchers}>
        {copy.matchers}
      </CopyButton>
      {command !== undefined && (
        <CopyButton {...small} text={command}>
          {copy.amtool}
        </CopyButton>
      )}
    </span>
  )
}

const small = { size: 'compact-xs', variant: 'default' } as const
