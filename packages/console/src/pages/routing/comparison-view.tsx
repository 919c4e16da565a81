import type { ConfigPreview, RouteMove, RoutePlace } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { clip } from '../../widgets/clip.ts'
import { Labels } from '../../widgets/labels.tsx'
import { Failure } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { visible } from '../../widgets/visible.ts'
import classes from './comparison-view.module.css'
import type { Comparison } from './use-comparison.ts'

/** Ways from a line of the draft. */
interface Ways {
  readonly goTo: (line: number) => void
  /** Where a line of the draft is in the running configuration. */
  readonly before: (line: number) => number | undefined
}

/** The problems of a draft. A draft without any: the alerts that it sends elsewhere than the running configuration. */
export function ComparisonView({
  comparison,
  isRunning,
  ...ways
}: {
  comparison: Comparison
  /** Whether the draft is the running configuration, to the letter. */
  isRunning: boolean
} & Ways): ReactNode {
  const { routing } = useTexts()
  const { error, isOld } = comparison
  const { problems = [], warnings = [], difference, isWhole } = comparison.data ?? {}
  return (
    <section className={classes.comparison} aria-label={routing.comparison}>
      <p className={classes.about}>
        <About comparison={comparison} isRunning={isRunning} />
      </p>
      {error !== null && !isOld && <Failure error={error} />}
      <div role="status" className={classes.found} data-old={isOld || undefined}>
        <Places kind="problems" places={problems} {...ways} />
        <Places kind="warnings" places={warnings} {...ways} />
        {difference !== undefined && (
          <>
            <h2>{routing.moved(difference.moved, difference.alerts)}</h2>
            {isWhole === false && <p className={classes.about}>{routing.notWhole}</p>}
            {difference.moves.map((move) => (
              <Move key={JSON.stringify([move.from, move.to])} move={move} />
            ))}
          </>
        )}
      </div>
    </section>
  )
}

/** Says which draft was compared with which configuration, and when. */
function About({
  comparison: { data, of, at, isOld, isPending, isTooLong },
  isRunning,
}: {
  comparison: Comparison
  isRunning: boolean
}): ReactNode {
  const { routing } = useTexts()
  if (isPending) return routing.comparing
  if (data !== undefined && of !== undefined && !isOld) {
    return (
      <>
        {routing.compared(of.isLong)} <LocalTime at={new Date(at).toISOString()} hasSeconds />
      </>
    )
  }
  if (isRunning) return routing.isRunning
  return isTooLong ? routing.tooLong : routing.waits
}

/** The problems or the warnings of a draft, each with its line. A click selects the line. */
function Places({
  kind,
  places,
  goTo,
  before,
}: {
  kind: 'problems' | 'warnings'
  places: ConfigPreview['problems']
} & Ways): ReactNode {
  const { routing } = useTexts()
  if (places.length === 0) return null
  return (
    <>
      <h2>{routing[kind](places.length)}</h2>
      <ul className={classes.places} data-kind={kind}>
        {places.map(({ line, column, message, routeLine }) => (
          <li key={`${line}:${column}:${message}`}>
            <button type="button" onClick={() => goTo(line)}>
              {routing.problem(line, column)}: {visible(message)}
            </button>
            {routeLine !== undefined && (
              <RouteWay line={routeLine} running={before(routeLine)} goTo={goTo} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Leads to a route of a draft: in the tree if it runs, otherwise to its first line. */
function RouteWay({
  line,
  running,
  goTo,
}: {
  line: number
  running: number | undefined
  goTo: (line: number) => void
}): ReactNode {
  const { routing } = useTexts()
  return running === undefined ? (
    <button type="button" onClick={() => goTo(line)}>
      {routing.newRoute(line)}
    </button>
  ) : (
    <a href={hashOf(['routing'], { line: String(running) })}>{routing.itsRoute}</a>
  )
}

function Move({ move }: { move: RouteMove }): ReactNode {
  const { alerts } = useTexts()
  const [example = {}] = move.examples
  return (
    <div className={classes.move}>
      <p>
        <strong>{alerts.count(move.count)}</strong>
      </p>
      <Labels labels={example} />
      {move.from.map((place) => (
        <Place key={JSON.stringify(place)} sign="−" place={place} />
      ))}
      {move.to.map((place) => (
        <Place key={JSON.stringify(place)} sign="+" place={place} />
      ))}
    </div>
  )
}

function Place({ sign, place }: { sign: '−' | '+'; place: RoutePlace }): ReactNode {
  const { routing } = useTexts()
  const times = [place.groupWaitMs, place.groupIntervalMs, place.repeatIntervalMs]
  const intervals = [...place.muteTimeIntervals, ...place.activeTimeIntervals]
  return (
    <p className={sign === '+' ? classes.to : classes.from}>
      {sign} <strong>{clip(place.receiver)}</strong> · {routing.groupedBy(place.groupBy)} ·{' '}
      {times.map(shortDuration).join(' / ')}
      {intervals.length > 0 && ` · ${intervals.join(', ')}`}
    </p>
  )
}
