import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useMay } from '../../data/me.ts'
import { client } from '../../data/services.ts'
import {
  pointsOf,
  type Reading,
  readSigns,
  type SignName,
  signNames,
  withReading,
} from '../../metrics/vital-signs.ts'
import { formatBytes } from '../../status/bytes.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { Sparkline } from '../../widgets/chart/sparkline.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import classes from './status-page.module.css'

const everyMs = 5_000

/** The metrics that matter as lines. They are read while the page is open, and forgotten with it. */
export function VitalSigns(): ReactNode {
  const { status } = useTexts()
  const may = useMay('metrics:read')
  const [readings, setReadings] = useState<readonly Reading[]>([])
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => readSigns(await client.metrics({ signal }), Date.now()),
    refetchInterval: everyMs,
    gcTime: 0,
    enabled: may.allowed,
  })
  useEffect(() => {
    if (data !== undefined) setReadings((before) => withReading(before, data))
  }, [data])
  return (
    <section aria-labelledby="signs-title">
      <h2 id="signs-title" className={classes.part}>
        {status.metrics}
      </h2>
      <p className={classes.quiet}>{may.allowed ? status.metricsDetail : may.reason}</p>
      {error !== null && <Failure error={error} triesAgain onRetry={() => void refetch()} />}
      {may.allowed && isPending && error === null && <Loading />}
      <ul className={classes.signs}>
        {signNames.map((name) => (
          <Sign key={name} name={name} readings={readings} />
        ))}
      </ul>
    </section>
  )
}

function Sign({ name, readings }: { name: SignName; readings: readonly Reading[] }): ReactNode {
  const { status } = useTexts()
  const language = useLanguage()
  const points = pointsOf(readings, name)
  const last = points.at(-1)
  // The server does not have this metric.
  if (last === undefined && readings.length > 1) return undefined
  if (readings.length === 0) return undefined
  const values = points.map(({ value }) => value)
  const format = formatOf(name, language)
  return (
    <li className={classes.sign}>
      <span className={classes.signName}>{status.signs[name]}</span>
      <strong>{last === undefined ? '…' : format(last.value)}</strong>
      <div className={classes.signLine}>
        <Sparkline values={values} />
      </div>
      <span className={classes.signRange}>
        {values.length > 1 &&
          status.range(format(Math.min(...values)), format(Math.max(...values)))}
      </span>
    </li>
  )
}

function formatOf(name: SignName, language: string): (value: number) => string {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  switch (name) {
    case 'memory':
      return (value) => formatBytes(value, language)
    case 'eventLoop':
      return (value) => `${number.format(value * 1_000)} ms`
    case 'notifications':
    case 'failures':
    case 'requests':
      return (value) => `${number.format(value)}/s`
    default:
      return (value) => number.format(value)
  }
}
