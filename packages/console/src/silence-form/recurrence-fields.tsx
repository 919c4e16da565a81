import type { TimeInterval } from '@gatehouse/client'
import { Chip, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../data/services.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { LocalTime } from '../widgets/time.tsx'
import { shortWeekday } from './describe-intervals.ts'
import classes from './silence-form.module.css'

/** What the fields of a recurrence hold. */
export interface Recurrence {
  /** English names; none: every day. */
  readonly weekdays: readonly string[]
  /** As `22:00`. */
  readonly from: string
  readonly to: string
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const shown = 3

/** The zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time intervals of a recurrence; `undefined` while its times are not right. */
export function intervalsOf({
  weekdays,
  from,
  to,
}: Recurrence): readonly TimeInterval[] | undefined {
  const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)
  if (!isTime(from) || !isTime(to) || from >= to) return undefined
  return [
    {
      times: [{ startTime: from, endTime: to }],
      ...(weekdays.length === 0 ? {} : { weekdays }),
      location: ownZone(),
    },
  ]
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
      </Group>
      <p className={classes.covers} role="status">
        {intervals === undefined ? (
          silences.badTimes
        ) : (
          <>
            {ownZone()} · {silences.next}{' '}
            {(next.data ?? []).slice(0, shown).map(({ startsAt }, index) => (
              <span key={startsAt}>
                {index > 0 && ', '}
                <LocalTime at={startsAt} />
              </span>
            ))}
          </>
        )}
      </p>
    </fieldset>
  )
}
