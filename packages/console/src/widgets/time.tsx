import { Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '../texts/texts.ts'
import { shortDuration } from '../time/durations.ts'
import { useNow } from '../time/now.ts'

/** The time since an instant, such as `3h 12m`; the instant itself, here and in UTC, is in the tooltip. */
export function Since({ at }: { at: string }): ReactNode {
  const now = useNow()
  return <Moment at={at}>{shortDuration(now - Date.parse(at))}</Moment>
}

/** The time until an instant. */
export function Until({ at }: { at: string }): ReactNode {
  const now = useNow()
  return <Moment at={at}>{shortDuration(Date.parse(at) - now)}</Moment>
}

/** An instant in the time zone of the browser. */
export function LocalTime({ at }: { at: string }): ReactNode {
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return <Moment at={at}>{format.format(new Date(at))}</Moment>
}

/** Lists show many times: each has a tooltip only while the pointer is on it. */
function Moment({ at, children }: { at: string; children: ReactNode }): ReactNode {
  const language = useLanguage()
  const [isNear, setNear] = useState(false)
  const time = (
    <time dateTime={at} onPointerEnter={() => setNear(true)} onPointerLeave={() => setNear(false)}>
      {children}
    </time>
  )
  if (!isNear) return time
  const date = new Date(at)
  const local = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' })
  return (
    <Tooltip opened label={`${local.format(date)} · ${date.toISOString()}`}>
      {time}
    </Tooltip>
  )
}
