import type { RecurringSilence, Silence } from '@gatehouse/client'
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { showNotice } from '../../data/notice.ts'
import { client } from '../../data/services.ts'
import { hashOf } from '../../route/route.ts'
import { describeIntervals } from '../../silence-form/describe-intervals.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { useNow } from '../../time/now.ts'
import { clip } from '../../widgets/clip.ts'
import { MayButton } from '../../widgets/may-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import { ShortTime } from '../../widgets/time.tsx'
import { SilenceHead } from './silence-list.tsx'
import classes from './silences-page.module.css'

/** All recurring silences. */
export const useRecurringSilences = (): UseQueryResult<readonly RecurringSilence[]> =>
  useQuery({
    queryKey: ['silences', 'recurring'],
    queryFn: ({ signal }) => client.silences.recurring.list({ signal }),
  })

/** The recurring silences, if there are some. */
export function RecurringSilences({
  recurring,
  silences: all,
}: {
  recurring: readonly RecurringSilence[]
  silences: readonly Silence[]
}): ReactNode {
  const { silences } = useTexts()
  const language = useLanguage()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: (silence: RecurringSilence) => client.silences.recurring.delete(silence.id),
    onSuccess: (_, { matchers, timeIntervals, createdBy, comment, annotations }) => {
      const again = {
        matchers,
        timeIntervals,
        createdBy,
        comment,
        ...(annotations && { annotations }),
      }
      showNotice({
        text: silences.recurrenceDeleted,
        undo: () => client.silences.recurring.create(again),
      })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['silences'] }),
  })
  if (recurring.length === 0) return null
  return (
    <>
      <h2 className={classes.part}>{silences.onRecurrence}</h2>
      {remove.error !== null && <Failure error={remove.error} />}
      <ul className={classes.silences}>
        {recurring.map((silence) => (
          <li key={silence.id} className={classes.silence}>
            <div className={classes.body}>
              <SilenceHead {...silence} />
              <p className={classes.quiet}>
                {describeIntervals(silence.timeIntervals, language)} ·{' '}
                <Next silence={silence} all={all} />
                {silences.by} <bdi>{clip(silence.createdBy, 100)}</bdi>
              </p>
            </div>
            <MayButton
              action="silences:write"
              size="xs"
              variant="default"
              href={hashOf(['silences', 'recurring', silence.id])}
            >
              {silences.edit}
            </MayButton>
            <MayButton
              action="silences:write"
              size="xs"
              variant="default"
              loading={remove.isPending}
              onClick={() => remove.mutate(silence)}
            >
              {silences.delete}
            </MayButton>
          </li>
        ))}
      </ul>
    </>
  )
}

/** When it holds next, or now, or that it was ended before its time. */
function Next({
  silence: { next, silenceIds },
  all,
}: {
  silence: RecurringSilence
  all: readonly Silence[]
}): ReactNode {
  const { silences } = useTexts()
  const now = useNow()
  if (next === undefined) return null
  const ofIt = all.filter(({ id }) => silenceIds.includes(id))
  const isActive = ofIt.some(({ status }) => status.state === 'active')
  const hasBegun = Date.parse(next.startsAt) <= now
  if (hasBegun && !isActive) return `${silences.endedByHand} · `
  return (
    <>
      {hasBegun ? (
        silences.nowActive
      ) : (
        <>
          {silences.next} <ShortTime at={next.startsAt} />
        </>
      )}{' '}
      {silences.until} <ShortTime at={next.endsAt} /> ·{' '}
    </>
  )
}
