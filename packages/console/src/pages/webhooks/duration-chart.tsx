import type { Run } from '@gatehouse/client'
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { hashOf } from '../../route/route.ts'
import {
  durationBuckets,
  hasFailed,
  runDuration,
  summarizeDurations,
  timedRuns,
} from '../../runs/run-durations.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { writeTime } from '../../time/write-time.ts'
import { Bars } from '../../widgets/chart/bars.tsx'
import { useTimeStyle } from '../../widgets/use-time-style.ts'
import classes from './duration-chart.module.css'

const maxBars = 80

/** The durations of the last runs as bars, the newest at the right, with the times of the first and the last, and as a table of ranges. */
export function DurationChart({ runs }: { runs: readonly Run[] }): ReactNode {
  const { webhooks: texts } = useTexts()
  const style = useTimeStyle()
  const timed = timedRuns(runs)
  const summary = summarizeDurations(timed)
  if (summary === undefined) return null
  const { count, failed, median, most, longest } = summary
  const words = texts.summary(
    count,
    failed,
    runDuration(median),
    runDuration(most),
    runDuration(longest),
  )
  const drawn = timed.slice(-maxBars)
  const ends = [drawn[0], drawn.at(-1)].flatMap((run) =>
    run === undefined ? [] : writeTime(Date.parse(run.created_at), style),
  )
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <strong>{texts.durations}</strong> <span>{words}</span>
      </figcaption>
      <Bars
        format={runDuration}
        ends={[...new Set(ends)]}
        bars={drawn.map((run) => ({
          key: run.run_id,
          up: run.duration_ms,
          ...(hasFailed(run) && { kind: 'failed' as const }),
          title: `${run.id} · ${runDuration(run.duration_ms)} · ${texts.statuses[run.status]}`,
          href: hashOf(['webhooks', 'run', run.run_id]),
        }))}
      />
      <details className={classes.details}>
        <summary>{texts.asTable}</summary>
        <Table verticalSpacing={4} className={classes.table ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.range}</Table.Th>
              <Table.Th>{texts.runs}</Table.Th>
              <Table.Th>{texts.failedRuns}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {durationBuckets(timed).map(({ from, to, count, failed }) => (
              <Table.Tr key={from}>
                <Table.Td>{rangeName(from, to, texts)}</Table.Td>
                <Table.Td>{count}</Table.Td>
                <Table.Td>{failed}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </figure>
  )
}

function rangeName(
  from: number,
  to: number | undefined,
  { upTo, between, from: atLeast }: ReturnType<typeof useTexts>['webhooks'],
): string {
  if (to === undefined) return atLeast(shortDuration(from))
  return from === 0 ? upTo(shortDuration(to)) : between(shortDuration(from), shortDuration(to))
}
