import type { LabelSet } from '@gatehouse/client'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { clip } from './clip.ts'
import classes from './labels.module.css'

/** More labels than this are shown on demand: an alert may have hundreds. */
const shownAtFirst = 12

/** Labels as buttons that add themselves to the filter, or exclude their value with Alt. */
export function Labels({
  labels,
  without = [],
  most = shownAtFirst,
  onPick,
  onMore,
}: {
  labels: LabelSet
  without?: readonly string[]
  most?: number
  /** Not `isEqual` where the value is to be excluded. */
  onPick?: (name: string, value: string, isEqual: boolean) => void
  /** Shows the rest elsewhere (default: they are added here). */
  onMore?: (() => void) | undefined
}): ReactNode {
  const texts = useTexts()
  const [isWhole, setWhole] = useState(false)
  const all = Object.entries(labels).filter(([name]) => !without.includes(name))
  const shown = isWhole ? all : all.slice(0, most)
  return (
    <ul className={classes.labels}>
      {shown.map(([name, value]) => (
        <li key={name}>
          {onPick === undefined ? (
            <span className={classes.label}>
              <Label name={name} value={value} />
            </span>
          ) : (
            <button
              type="button"
              className={classes.label}
              title={texts.alerts.addToFilter(name, clip(value))}
              onClick={({ altKey }) => onPick(name, value, !altKey)}
            >
              <Label name={name} value={value} />
            </button>
          )}
        </li>
      ))}
      {all.length > most && (
        <li>
          <button
            type="button"
            className={classes.more}
            aria-expanded={onMore === undefined ? isWhole : undefined}
            onClick={onMore ?? (() => setWhole(!isWhole))}
          >
            {isWhole
              ? texts.states.less
              : onMore === undefined
                ? texts.alerts.moreLabels(all.length - most)
                : `+${all.length - most}`}
          </button>
        </li>
      )}
    </ul>
  )
}

/** The isolates keep a value of right-to-left letters from reordering what stands beside it. */
function Label({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <>
      <span className={classes.name}>
        <bdi>{clip(name)}</bdi>
      </span>
      <bdi>{clip(value)}</bdi>
    </>
  )
}
