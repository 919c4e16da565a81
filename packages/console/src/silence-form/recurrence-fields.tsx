import { Chip, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../data/services.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { ShortTime } from '../widgets/time.tsx'
import { describeIntervals, shortWeekday } from './describe-intervals.ts'
import { intervalsOf, ownZone, type Recurrence, weekdays } from './recurrence.ts'
import classes from './silence-form.module.css'

const shown = 3

/** The zones that the browser knows, its own first, and the given one. */
const zonesWith = (zone: string): string[] => [
  ...new Set([ownZone(), 'UTC', zone, ...Intl.supportedValuesOf('timeZone')]),
]

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
