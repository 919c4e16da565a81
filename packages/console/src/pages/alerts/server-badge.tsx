import type { ReactNode } from 'react'
import type { ShownAlert } from '../../alerts/merge-servers.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import classes from './badges.module.css'

/** The other servers that have an alert. */
export function ServerBadge({ alert }: { alert: ShownAlert }): ReactNode {
  const { others } = useTexts().alerts
  const { servers, isElsewhere } = alert
  if (servers === undefined) return null
  const names = clip(servers.join(', '))
  return (
    <span className={classes.state} title={isElsewhere ? others.only(names) : others.also(names)}>
      <bdi>@{names}</bdi>
    </span>
  )
}
