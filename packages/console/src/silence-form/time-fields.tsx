import { Checkbox, Chip, Group, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import { LocalTime } from '../widgets/time.tsx'
import { useTimeStyle } from '../widgets/use-time-style.ts'
import { ownZone } from './recurrence.ts'
import { type SilenceTimes, timesOf } from './silence-times.ts'

const presets = ['30m', '1h', '2h', '8h', '1d', '3d', '7d']
const reminders = ['5m', '15m', '1h']

/** From when to when a silence holds, as text or by a click, with the instants that this means. */
export function TimeFields({
  value,
  onChange,
}: {
  value: SilenceTimes
  onChange: (change: Partial<SilenceTimes>) => void
}): ReactNode {
  const { silences } = useTexts()
  const style = useTimeStyle()
  const { start, duration, untilResolved, reminder } = value
  const { startsAt, endsAt } = timesOf(value, Date.now(), style)
  return (
    <div>
      <Group gap="sm" align="start" grow>
        {!value.hasStarted && (
          <TextInput
            label={silences.starts}
            value={start}
            placeholder={silences.now}
            onChange={({ currentTarget }) => onChange({ start: currentTarget.value })}
            error={startsAt === undefined ? silences.badStart : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={
              startsAt !== undefined &&
              start.trim() !== '' && <LocalTime at={new Date(startsAt).toISOString()} />
            }
          />
        )}
        <TextInput
          label={silences.duration}
          value={duration}
          onChange={({ currentTarget }) => onChange({ duration: currentTarget.value })}
          error={startsAt !== undefined && endsAt === undefined ? silences.badDuration : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={
            endsAt !== undefined && (
              <>
                {silences.until} <LocalTime at={new Date(endsAt).toISOString()} />
                {style.zone === 'local' && ` · ${ownZone()}`}
              </>
            )
          }
        />
      </Group>
      <Chip.Group
        value={presets.find((one) => one === duration) ?? null}
        onChange={(chosen) => onChange({ duration: String(chosen) })}
      >
        <Group gap="xs" mt="xs">
          {presets.map((preset) => (
            <Chip key={preset} value={preset} size="sm">
              {preset}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group gap="lg" mt="md" align="end">
        <Select
          label={silences.remind}
          value={reminder}
          allowDeselect={false}
          onChange={(chosen) => onChange({ reminder: chosen ?? '0s' })}
          data={[
            { value: '0s', label: silences.noReminder },
            ...[...new Set([...reminders, ...(reminder === '0s' ? [] : [reminder])])].map(
              (value) => ({ value, label: silences.before(value) }),
            ),
          ]}
        />
        <Checkbox
          mb="xs"
          label={silences.untilResolved}
          checked={untilResolved}
          onChange={({ currentTarget }) => onChange({ untilResolved: currentTarget.checked })}
        />
      </Group>
    </div>
  )
}
