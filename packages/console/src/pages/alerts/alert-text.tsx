import type { ReactNode } from 'react'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import { severityLabel } from '../../data/services.ts'
import { Annotation, webUrl } from '../../widgets/annotation.tsx'
import { clip } from '../../widgets/clip.ts'
import { Labels } from '../../widgets/labels.tsx'
import { AlertLinks } from './alert-links.tsx'
import { AlertState } from './alert-state.tsx'
import classes from './alert-text.module.css'
import { GroupTimeline } from './group-timeline.tsx'
import type { ListActions } from './list-actions.ts'

/** The summary, labels, annotations and links of an alert. */
export function AlertText({
  alert,
  shared,
  onPick,
}: {
  alert: ShownAlert
  /** Labels that are shown elsewhere. */
  shared: readonly string[]
} & Pick<ListActions, 'onPick'>): ReactNode {
  const { labels, annotations } = alert
  const { summary } = annotations
  const written = Object.entries(annotations).filter(
    ([key, text]) => key !== 'summary' && webUrl(text) === undefined,
  )
  return (
    <>
      {summary !== undefined && (
        <p className={classes.summary}>
          <Annotation text={summary} />
        </p>
      )}
      <Labels labels={labels} without={[...shared, severityLabel]} onPick={onPick} />
      {written.length > 0 && (
        <dl className={classes.annotations}>
          {written.map(([key, text]) => (
            <div key={key}>
              <dt>{clip(key)}</dt>
              <dd>
                <Annotation text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <AlertLinks alert={alert} />
    </>
  )
}

/** All of an alert, below its row: what it says, and what happened to it. */
export function AlertDetails({
  alert,
  onPick,
}: { alert: ShownAlert } & Pick<ListActions, 'onPick'>): ReactNode {
  return (
    <div className={classes.details}>
      <AlertState alert={alert} />
      <AlertText alert={alert} shared={none} onPick={onPick} />
      {isHere(alert) && <GroupTimeline labels={alert.labels} receiver={undefined} />}
    </div>
  )
}

const none: readonly string[] = []
