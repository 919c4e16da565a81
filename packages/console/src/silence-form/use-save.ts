import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { rememberAuthor } from '../data/author.ts'
import { showNotice } from '../data/notice.ts'
import { hashOf } from '../route/route.ts'
import { useTexts } from '../texts/texts.ts'
import { shortMoment } from '../time/short-moment.ts'
import { useTimeStyle } from '../widgets/use-time-style.ts'
import { intervalsOf } from './recurrence.ts'
import { saveRecurring, saveSilence } from './save-silence.ts'
import { isNewDraft, type SilenceDraft } from './silence-draft.ts'
import { reminderMsOf, timesOf } from './silence-times.ts'
import type { SilenceFields } from './use-silence-fields.ts'

/** Saves what the fields hold, and says so in a notice that can take it back. It is given how many alerts are covered, if that is known. */
export function useSave(
  initial: SilenceDraft,
  fields: SilenceFields,
  onDone: (id: string) => void,
): UseMutationResult<{ id: string }, Error, number | undefined> {
  const { silences: texts } = useTexts()
  const style = useTimeStyle()
  const { matchers, author, comment, isKnown, isRecurring, recurrence, times } = fields
  return useMutation({
    mutationFn: async (count: number | undefined) => {
      if (!isKnown) rememberAuthor(author)
      const silence = { matchers, createdBy: author, comment }
      if (isRecurring) {
        const saved = await saveRecurring(initial, silence, intervalsOf(recurrence) ?? [])
        const text = isNewDraft(initial) ? texts.recurs : texts.recurringChanged
        return { ...saved, text, href: hashOf(['silences', 'recurring', saved.id]) }
      }
      // The form may have been open for long.
      const now = Date.now()
      const { startsAt = now, endsAt = now } = timesOf(times, now, style)
      const { untilResolved } = times
      const remindBeforeMs = reminderMsOf(times)
      const saved = await saveSilence(initial, silence, {
        ...{ startsAt, endsAt, untilResolved, remindBeforeMs },
      })
      const until = shortMoment(endsAt, now, style)
      const text =
        initial.id !== undefined
          ? texts.changed(until)
          : startsAt > now
            ? texts.planned(shortMoment(startsAt, now, style), until)
            : texts.silenced(count, until)
      return { ...saved, text, href: hashOf(['silences', saved.id]) }
    },
    onSuccess: ({ id, ...notice }) => {
      showNotice(notice)
      onDone(id)
    },
  })
}
