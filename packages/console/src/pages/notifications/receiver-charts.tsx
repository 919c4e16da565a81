import type { NotificationCounts, ReceiverCounts } from '@gatehouse/client'
import { Button, Table } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { chartEnds } from '../../notifications/chart-ends.ts'
import { partsOf, startsOf, totalsOf } from '../../notifications/counts.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { Bars } from '../../widgets/chart/bars.tsx'
import { clip } from '../../widgets/clip.ts'
import { DataTable } from '../../widgets/data-table.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { useTimeStyle } from '../../widgets/use-time-style.ts'
import classes from './notifications-page.module.css'

const firstShown = 4
const maxRows = 200

/** A chart for each receiver: what was sent stands on the axis, what failed hangs below it. And the same as a table. */
export function ReceiverCharts({
  counts,
  onPick,
}: {
  counts: NotificationCounts
  onPick: (receiver: string) => void
}): ReactNode {
  const { notifications } = useTexts()
  const [isAll, setAll] = useState(false)
  const { receivers } = counts
  const shown = isAll ? receivers : receivers.slice(0, firstShown)
  return (
    <section>
      <h2 className={classes.part}>{notifications.byReceiver}</h2>
      <p className={classes.legend}>
        <span data-kind="sent">{notifications.above}</span>
        <span data-kind="failed">{notifications.below}</span>
        {Date.parse(counts.countedFrom) > Date.parse(counts.from) + 60_000 && (
          <span>
            {notifications.countedFrom} <LocalTime at={counts.countedFrom} />
          </span>
        )}
      </p>
      <ul className={classes.charts}>
        {shown.map((one) => (
          <ReceiverChart key={one.receiver} counts={counts} of={one} onPick={onPick} />
        ))}
      </ul>
      {receivers.length > shown.length && (
        <Button size="xs" variant="default" mt="sm" onClick={() => setAll(true)}>
          {notifications.moreReceivers(receivers.length - shown.length)}
        </Button>
      )}
      <Parts counts={counts} />
    </section>
  )
}

function ReceiverChart({
  counts,
  of: one,
  onPick,
}: {
  counts: NotificationCounts
  of: ReceiverCounts
  onPick: (receiver: string) => void
}): ReactNode {
  const { notifications } = useTexts()
  const [point, setPoint] = useState<number>()
  const totals = totalsOf(one)
  const times = startsOf(counts, one.sent.length)
  const language = useLanguage()
  const count = new Intl.NumberFormat(language, { notation: 'compact' })
  const at = point === undefined ? undefined : times[point]
  const numbers =
    point === undefined
      ? totals
      : {
          sent: one.sent[point] ?? 0,
          failed: one.failed[point] ?? 0,
          notSent: one.notSent[point] ?? 0,
        }
  return (
    <li className={classes.card} data-failed={totals.failed > 0 || undefined}>
      <button type="button" className={classes.cardName} onClick={() => onPick(one.receiver)}>
        <bdi>{clip(one.receiver)}</bdi>
      </button>
      <p className={classes.cardNumbers}>
        <span data-kind="sent">{notifications.sent(numbers.sent)}</span>
        {' · '}
        <span data-kind={numbers.failed > 0 ? 'failed' : undefined}>
          {notifications.failed(numbers.failed)}
        </span>
        {' · '}
        {notifications.notSent(numbers.notSent)}
        {at !== undefined && (
          <>
            {' · '}
            <LocalTime at={new Date(at).toISOString()} />
          </>
        )}
      </p>
      <Bars
        format={(value) => count.format(value)}
        ends={chartEnds(times, counts.partMs, {
          style: useTimeStyle(),
          now: Date.now(),
          nowText: notifications.now,
        })}
        onPoint={setPoint}
        bars={times.map((time, index) => ({
          key: String(time),
          up: one.sent[index] ?? 0,
          down: one.failed[index] ?? 0,
          kind: 'good',
        }))}
      />
    </li>
  )
}

function Parts({ counts }: { counts: NotificationCounts }): ReactNode {
  const { notifications } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.asTable} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{notifications.asTable}</summary>
      {isOpen && (
        <DataTable
          label={notifications.byReceiver}
          heads={[
            notifications.time,
            notifications.receiver,
            notifications.outcomes.sent,
            notifications.outcomes.failed,
            notifications.notSentTitle,
          ]}
          minWidth={480}
          maxHeight={320}
          isDense
        >
          {partsOf(counts)
            .slice(0, maxRows)
            .map((one) => (
              <Table.Tr key={`${one.from} ${one.receiver}`}>
                <Table.Td>
                  <LocalTime at={one.from} />
                </Table.Td>
                <Table.Td>
                  <bdi>{clip(one.receiver)}</bdi>
                </Table.Td>
                <Table.Td>{one.sent}</Table.Td>
                <Table.Td>{one.failed}</Table.Td>
                <Table.Td>{one.notSent}</Table.Td>
              </Table.Tr>
            ))}
        </DataTable>
      )}
    </details>
  )
}
