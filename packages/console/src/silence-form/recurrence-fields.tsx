import type { TimeInterval } from '@gatehouse/client'
import { Chip, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../data/services.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { ShortTime } from '../widgets/time.tsx'
import { describeIntervals, shortWeekday } from './describe-intervals.ts'
import classes from './silence-form.module.css'

/** What the fields of a recurrence hold. */
interface Recurrence {
  /** English names; none: every day. */
  readonly weekdays: readonly string[]
  /** As `22:00`. */
  readonly from: string
  readonly to: string
  /** As `Europe/Berlin`. */
  readonly zone: string
  /** Intervals that the fields cannot show; they stay as they are. */
  readonly others?: readonly TimeInterval[]
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const shown = 3

/** The zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zones that the browser knows, its own first, and the given one. */
const zonesWith = (zone: string): string[] => [
  ...new Set([ownZone(), 'UTC', zone, ...Intl.supportedValuesOf('timeZone')]),
]

/** The time intervals of a recurrence; `undefined` while its times are not right. */
export function intervalsOf({
  weekdays,
  from,
  to,
  zone,
  others,
}: Recurrence): readonly TimeInterval[] | undefined {
  if (others !== undefined) return others
  const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)
  if (!isTime(from) || !isTime(to) || from >= to) return undefined
  return [
    {
      times: [{ startTime: from, endTime: to }],
      ...(weekdays.length === 0 ? {} : { weekdays }),
      location: zone,
    },
  ]
}

/** What the fields hold at first: every night, or the intervals of a recurring silence. */
export function recurrenceOf(intervals: readonly TimeInterval[] | undefined): Recurrence {
  const first: Recurrence = { weekdays: [], from: '22:00', to: '24:00', zone: ownZone() }
  if (intervals === undefined) return first
  const [interval, ...more] = intervals
  const { times = [], weekdays: days = [], location = 'UTC', ...rest } = interval ?? {}
  const [time, ...moreTimes] = times
  const names = days.flatMap(namesOfDays)
  const isPlain = more.length === 0 && moreTimes.length === 0 && Object.keys(rest).length === 0
  if (time === undefined || !isPlain || names.includes('')) return { ...first, others: intervals }
  return { weekdays: names, from: time.startTime, to: time.endTime, zone: location }
}

/** The days of a range such as `monday:friday`; an empty name for what is none. */
function namesOfDays(range: string): readonly string[] {
  const [from = '', to = from] = range.toLowerCase().split(':')
  const [first, last] = [weekdays.indexOf(from), weekdays.indexOf(to)]
  return first < 0 || last < first ? [''] : weekdays.slice(first, last + 1)
}

/** On which days and from when to when a silence holds, with its next occurrences. */
export function RecurrenceFields({
  value,
  onChange,
}: {
  value: Recurrence
  onChange: (value: Recurrence) => void
}): ReactNode {
  const { silences } = useTexts()
  const language = useLanguage()
  const intervals = intervalsOf(value)
  const next = useQuery({
    queryKey: ['recurrence-preview', intervals],
    queryFn: ({ signal }) => client.silences.recurring.preview(intervals ?? [], { signal }),
    enabled: intervals !== undefined,
  })
  if (value.others !== undefined) {
    return (
      <p className={classes.covers}>
        {silences.otherIntervals} {describeIntervals(value.others, language)}
      </p>
    )
  }
  return (
    <fieldset className={classes.recurrence}>
      <legend className={classes.label}>{silences.onDays}</legend>
      <Chip.Group
        multiple
        value={[...value.weekdays]}
        onChange={(chosen) => onChange({ ...value, weekdays: chosen })}
      >
        <Group gap="xs">
          {weekdays.map((weekday, index) => (
            <Chip key={weekday} value={weekday} size="sm">
              {shortWeekday(index, language)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group gap="sm" mt="sm" grow>
        <TextInput
          label={silences.from}
          value={value.from}
          onChange={({ currentTarget }) => onChange({ ...value, from: currentTarget.value })}
        />
        <TextInput
          label={silences.to}
          value={value.to}
          onChange={({ currentTarget }) => onChange({ ...value, to: currentTarget.value })}
        />
        <Select
          label={silences.zone}
          value={value.zone}
          onChange={(zone) => onChange({ ...value, zone: zone ?? ownZone() })}
          data={zonesWith(value.zone)}
          limit={50}
          searchable
          allowDeselect={false}
        />
      </Group>
      <p className={classes.covers} role="status">
        {intervals === undefined ? (
          silences.badTimes
        ) : (
          <>
            {silences.next}{' '}
            {(next.data ?? []).slice(0, shown).map(({ startsAt }, index) => (
              <span key={startsAt}>
                {index > 0 && ', '}
                <ShortTime at={startsAt} />
              </span>
            ))}
          </>
        )}
      </p>
    </fieldset>
  )
}
