import { Tooltip } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { shortDuration } from '../time/durations.ts'
import { useNow } from '../time/now.ts'
import { shortMoment } from '../time/short-moment.ts'
import { writeExactTime, writeTime } from '../time/write-time.ts'
import classes from './time.module.css'
import { useTimeStyle } from './use-time-style.ts'

/** The time since an instant, such as `3h 12m`; the instant itself is shown on demand. */
export function Since({ at }: { at: string }): ReactNode {
  const now = useNow()
  return <Moment at={at}>{shortDuration(now - Date.parse(at))}</Moment>
}

/** The time until an instant. */
export function Until({ at }: { at: string }): ReactNode {
  const now = useNow()
  return <Moment at={at}>{shortDuration(Date.parse(at) - now)}</Moment>
}

/** An instant in the chosen zone. */
export function LocalTime({
  at,
  hasSeconds = false,
}: {
  at: string
  /** Whether it has seconds, also where they were not chosen (default false). */
  hasSeconds?: boolean
}): ReactNode {
  const style = useTimeStyle()
  const shown = hasSeconds ? { ...style, hasSeconds } : style
  return <Moment at={at}>{writeTime(Date.parse(at), shown)}</Moment>
}

/** An instant in as few words as it needs: the time of day, with its weekday or date unless it is today. */
export function ShortTime({ at }: { at: string }): ReactNode {
  const now = useNow()
  return <Moment at={at}>{shortMoment(Date.parse(at), now, useTimeStyle())}</Moment>
}

/**
 * A time whose exact instant, here and in UTC, is shown by the pointer, the focus, a click or a touch. Lists show many times: each
 * has a tooltip only meanwhile.
 */
function Moment({ at, children }: { at: string; children: ReactNode }): ReactNode {
  const [isNear, setNear] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    // A touch elsewhere takes no focus in some browsers.
    const close = ({ target }: PointerEvent): void => {
      if (!button.current?.contains(target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [isOpen])
  const leave = (): void => {
    setNear(false)
    setOpen(false)
  }
  const style = useTimeStyle()
  const exact = isNear || isOpen ? writeExactTime(Date.parse(at), style) : undefined
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes.time}
        aria-description={exact}
        onPointerEnter={({ pointerType }) => setNear(pointerType !== 'touch')}
        onPointerLeave={() => setNear(false)}
        onFocus={({ currentTarget }) => setNear(currentTarget.matches(':focus-visible'))}
        onBlur={leave}
        onKeyDown={({ key }) => key === 'Escape' && leave()}
        onClick={() => setOpen(!isOpen)}
      >
        <time dateTime={at}>{children}</time>
      </button>
      {exact !== undefined && <Tooltip opened target={button} label={exact} multiline />}
    </>
  )
}
