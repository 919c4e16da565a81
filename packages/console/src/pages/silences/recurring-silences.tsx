import type { RecurringSilence } from '@gatehouse/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { showNotice } from '../../data/notice.ts'
import { client } from '../../data/services.ts'
import { describeIntervals } from '../../silence-form/describe-intervals.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import { MayButton } from '../../widgets/may-button.tsx'
import { Failure } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import { SilenceHead } from './silence-list.tsx'
import classes from './silences-page.module.css'

/** The recurring silences, if there are some. */
export function RecurringSilences(): ReactNode {
  const { silences } = useTexts()
  const language = useLanguage()
  const queries = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: ['silences', 'recurring'],
    queryFn: ({ signal }) => client.silences.recurring.list({ signal }),
  })
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
  if (data.length === 0) return null
  return (
    <>
      <h2 className={classes.part}>{silences.onRecurrence}</h2>
      {remove.error !== null && <Failure error={remove.error} />}
      <ul className={classes.silences}>
        {data.map((silence) => (
          <li key={silence.id} className={classes.silence}>
            <div className={classes.body}>
              <SilenceHead {...silence} />
              <p className={classes.quiet}>
                {describeIntervals(silence.timeIntervals, language)} ·{' '}
                {silence.next !== undefined && (
                  <>
                    {silences.next} <LocalTime at={silence.next.startsAt} /> {silences.until}{' '}
                    <LocalTime at={silence.next.endsAt} /> ·{' '}
                  </>
                )}
                {silences.by} <bdi>{clip(silence.createdBy, 100)}</bdi>
              </p>
            </div>
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
