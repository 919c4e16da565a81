import { formatMatcher, type Matcher } from '@gatehouse/client'
import { useState } from 'react'
import { useAuthor } from '../data/author.ts'
import { useTimeStyle } from '../widgets/use-time-style.ts'
import { type WrittenMatchers, writtenMatchers } from './matcher-field.tsx'
import { intervalsOf, type Recurrence, recurrenceOf } from './recurrence.ts'
import type { SilenceDraft } from './silence-draft.ts'
import { type SilenceTimes, timesOf, timesOfDraft } from './silence-times.ts'

/** What the fields of the form hold. */
export interface SilenceFields {
  readonly written: WrittenMatchers
  readonly setWritten: (written: WrittenMatchers) => void
  /** The matchers that are written; none while they cannot be read. */
  readonly matchers: readonly Matcher[]
  /** The same as a text. */
  readonly filter: string
  readonly isRecurring: boolean
  readonly setRecurring: (isRecurring: boolean) => void
  readonly times: SilenceTimes
  readonly setTimes: (times: SilenceTimes) => void
  readonly recurrence: Recurrence
  readonly setRecurrence: (recurrence: Recurrence) => void
  readonly comment: string
  readonly setComment: (comment: string) => void
  readonly author: string
  readonly setAuthor: (author: string) => void
  /** Whether the server says who the user is. */
  readonly isKnown: boolean
  /** Whether nothing is missing that a silence needs. */
  readonly isComplete: boolean
}

/** The fields of the form, which hold a draft at first. */
export function useSilenceFields(initial: SilenceDraft): SilenceFields {
  const style = useTimeStyle()
  const [written, setWritten] = useState(() => writtenOf(initial))
  const [times, setTimes] = useState(() => timesOfDraft(initial, style.zone))
  const [author, setAuthor, isKnown] = useAuthor(initial.createdBy)
  const [comment, setComment] = useState(initial.comment ?? '')
  const [isRecurring, setRecurring] = useState(initial.recurring !== undefined)
  const [recurrence, setRecurrence] = useState(() => recurrenceOf(initial.recurring?.timeIntervals))
  const matchers = writtenMatchers(written) ?? []
  const { endsAt } = timesOf(times, Date.now(), style)
  const hasTime = isRecurring ? intervalsOf(recurrence) !== undefined : endsAt !== undefined
  return {
    ...{ written, setWritten, matchers, filter: matchers.map(formatMatcher).join(', ') },
    ...{ isRecurring, setRecurring, times, setTimes, recurrence, setRecurrence },
    ...{ comment, setComment, author, setAuthor, isKnown },
    isComplete: matchers.length > 0 && hasTime && author !== '' && comment !== '',
  }
}

/** The matchers of a draft, or its text where that cannot be read. */
function writtenOf({ text, matchers }: SilenceDraft): WrittenMatchers {
  return text === undefined || text === ''
    ? { matchers, text: '', isText: false }
    : { matchers: [], text, isText: true }
}
