import type { Alert, SilencePreview } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { commonLabels } from '../alerts/group-alerts.ts'
import { severityOf } from '../alerts/severity.ts'
import { severityLabel } from '../data/services.ts'
import { useTexts } from '../texts/texts.ts'
import { clip } from '../widgets/clip.ts'
import { Labels } from '../widgets/labels.tsx'
import classes from './covered-alerts.module.css'

const most = 20
const shownLabels = 4

/** The alerts that a silence would cover: those that it would silence, and below them those that are silenced already. */
export function CoveredAlerts({
  preview: { alerts, count, silenced },
  chosen,
  own,
}: {
  preview: SilencePreview
  /** Fingerprints of the alerts that it is made for, if it is for chosen ones. */
  chosen: readonly string[] | undefined
  /** The ids of the silences that are changed. */
  own: readonly string[]
}): ReactNode {
  const { silences: texts } = useTexts()
  if (count === 0) return null
  const isSilenced = ({ status }: Alert): boolean =>
    status.silencedBy.some((id) => !own.includes(id))
  const wanted = chosen && new Set(chosen)
  const [fresh, others] = [alerts.filter((one) => !isSilenced(one)), alerts.filter(isSilenced)]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.covered} aria-label={texts.coveredAlerts} tabIndex={0}>
      <Listed alerts={fresh} count={count - silenced} wanted={wanted} />
      {silenced > 0 && (
        <details className={classes.silenced}>
          <summary>{texts.alreadySilenced(silenced)}</summary>
          <Listed alerts={others} count={silenced} wanted={wanted} />
        </details>
      )}
    </section>
  )
}

/** The first of these alerts, in groups by their name. */
function Listed({
  alerts,
  count,
  wanted,
}: {
  alerts: readonly Alert[]
  /** How many there are, listed or not. */
  count: number
  wanted: ReadonlySet<string> | undefined
}): ReactNode {
  const { silences: texts, notifications } = useTexts()
  const shown = alerts.slice(0, most)
  return (
    <>
      {groupsOf(shown).map(({ name, members, shared }) => (
        <div key={name} className={classes.group}>
          <b>
            <bdi>{clip(name, 100)}</bdi>
          </b>
          <ul>
            {members.map(({ fingerprint, labels }) => (
              <li key={fingerprint} data-severity={severityOf(labels, severityLabel)}>
                <Labels labels={labels} without={shared} most={shownLabels} />
                {wanted?.has(fingerprint) === false && (
                  <span className={classes.mark}>{texts.notChosen}</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {count > shown.length && (
        <p className={classes.more}>{notifications.moreAlerts(count - shown.length)}</p>
      )}
    </>
  )
}

interface Group {
  readonly name: string
  readonly members: readonly Alert[]
  /** Labels that need not be repeated for each. */
  readonly shared: readonly string[]
}

/** Groups in the order of their first alerts. */
function groupsOf(alerts: readonly Alert[]): readonly Group[] {
  const found = new Map<string, Alert[]>()
  for (const alert of alerts) {
    const name = alert.labels.alertname ?? alert.fingerprint
    found.set(name, [...(found.get(name) ?? []), alert])
  }
  return Array.from(found, ([name, members]) => {
    const shared = members.length > 1 ? Object.keys(commonLabels(members)) : []
    return { name, members, shared: ['alertname', ...shared] }
  })
}
