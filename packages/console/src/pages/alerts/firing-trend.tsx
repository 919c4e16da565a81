import { isClientError } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lastPeak } from '../../alerts/last-peak.ts'
import { useHasBegun } from '../../data/live.ts'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { useNow } from '../../time/now.ts'
import { stepsPath } from '../../widgets/chart/steps-path.ts'
import classes from './firing-trend.module.css'

const box = { width: 192, height: 20 }
const hourMs = 3_600_000
const readEveryMs = 60_000

/** How many alerts fired in the last day, whatever the filter is; nothing where the server keeps no history yet, or none fired. */
export function FiringTrend(): ReactNode {
  const { trend } = useTexts().alerts.overview
  const now = useNow()
  const { data } = useQuery({
    queryKey: ['firing-history'],
    queryFn: ({ signal }) => client.alerts.firingHistory({ signal }),
    enabled: useHasBegun(),
    // A server without a history will not get one.
    refetchInterval: ({ state: { error } }) =>
      isClientError(error) && error.status === 404 ? false : readEveryMs,
  })
  const peak = data && lastPeak(data)
  if (data === undefined || peak === undefined) return null
  const age = now - peak.at
  const agoMs = age < hourMs ? age : Math.round(age / hourMs) * hourMs
  return (
    <figure className={classes.trend} aria-label={trend.name} title={trend.name}>
      <div className={classes.chart}>
        <svg
          viewBox={`0 -1 ${box.width} ${box.height + 2}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={stepsPath(data.peaks, box)} vectorEffect="non-scaling-stroke" />
        </svg>
        <span>{trend.dayAgo}</span>
        <span>{trend.now}</span>
      </div>
      <figcaption>
        {age < data.partMs
          ? trend.peakNow(peak.alerts)
          : trend.peak(peak.alerts, shortDuration(agoMs))}
      </figcaption>
    </figure>
  )
}
