import type { ReactNode } from 'react'
import type { ShownAlert } from '../../alerts/merge-servers.ts'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { webUrl } from '../../widgets/annotation.tsx'
import { clip } from '../../widgets/clip.ts'
import classes from './alert-links.module.css'
import { CopyAlert } from './copy-alert.tsx'

/** Where to read on: annotations that are a link, the source of the alert, its way through the routing tree; and what to pass on. */
export function AlertLinks({ alert }: { alert: ShownAlert }): ReactNode {
  const { alerts } = useTexts()
  const { annotations, fingerprint, generatorURL, isElsewhere } = alert
  const outside = [...Object.entries(annotations), [alerts.source, generatorURL] as const]
  return (
    <div className={classes.links}>
      {outside.map(([key, text]) => {
        const url = webUrl(text)
        return (
          url !== undefined && (
            <a key={key} href={url} title={url} target="_blank" rel="noopener noreferrer">
              <bdi>{clip(key, 40)}</bdi>
              <span aria-hidden="true"> ↗</span>
            </a>
          )
        )
      })}
      {!isElsewhere && <a href={hashOf(['routing'], { alert: fingerprint })}>{alerts.why}</a>}
      <CopyAlert alert={alert} />
    </div>
  )
}
