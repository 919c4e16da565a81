import type { AlertGroup } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { remember } from '../../alerts/remember.ts'
import type { OtherServer } from '../../data/other-servers.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { webUrl } from '../../widgets/annotation.tsx'
import classes from './overview.module.css'

const countOf = remember(
  (groups: readonly AlertGroup[]): number =>
    new Set(groups.flatMap(({ alerts }) => alerts.map((one) => one.fingerprint))).size,
)

/** The other servers: how many of the listed alerts each has, or that it cannot be read. A click shows its alerts alone. */
export function ServerStrip({
  servers,
  chosen,
  onChoose,
}: {
  servers: readonly OtherServer[]
  /** The name of the one that is shown alone; empty for none. */
  chosen: string
  onChoose: (name: string) => void
}): ReactNode {
  const { others } = useTexts().alerts
  const number = new Intl.NumberFormat(useLanguage())
  if (servers.length === 0) return null
  return (
    <ul className={classes.servers} aria-label={others.title}>
      {servers.map(({ name, url, groups, failure }) => {
        const page = webUrl(url)
        return (
          <li key={name}>
            <button
              type="button"
              className={classes.count}
              data-failed={failure !== undefined}
              aria-pressed={chosen === name}
              title={failure ?? others.choose(name)}
              onClick={() => onChoose(chosen === name ? '' : name)}
            >
              <bdi>@{name}</bdi>{' '}
              {failure === undefined ? (
                <b>{groups === undefined ? '…' : number.format(countOf(groups))}</b>
              ) : (
                <span>{others.failed}</span>
              )}
            </button>
            {page !== undefined && (
              <a
                href={page}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={others.open(name)}
                title={others.open(name)}
              >
                ↗
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}
