import { type ListedSilence, type RecurringSilence, readMatchers } from '@gatehouse/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRefetchInterval } from '../../data/live.ts'
import { readSilences } from '../../data/silences.ts'
import { hashOf, usePlace } from '../../route/route.ts'
import { readClassicMatchers } from '../../silence-form/classic-matchers.ts'
import type { SilenceDraft } from '../../silence-form/silence-draft.ts'
import { SilenceForm } from '../../silence-form/silence-form.tsx'
import { useExpiry } from '../../silence-form/use-expiry.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import { PageHead } from '../../widgets/page-head.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { RecurringSilences, useRecurringSilences } from './recurring-silences.tsx'
import { SilenceList } from './silence-list.tsx'
import { SilenceTools, useChosenSilences, useSilenceSearch } from './silence-tools.tsx'
import classes from './silences-page.module.css'

/** The address of a recurring silence: `#/silences/recurring/ID`. */
const recurringSegment = 'recurring'

const none: readonly ListedSilence[] = []
const noRecurring: readonly RecurringSilence[] = []

/** The silences, and the form to make one. `#/silences/new?filter=…` opens the form, as in Alertmanager. */
export default function SilencesPage(): ReactNode {
  const texts = useTexts()
  const { segments, query } = usePlace()
  const named = segments[1]
  const search = useSilenceSearch()
  const queries = useQueryClient()
  const silences = useQuery({
    queryKey: ['silences', 'list'],
    queryFn: ({ signal }) => readSilences(signal),
    refetchInterval: useRefetchInterval(),
  })
  const { data: all = none, isPending, refetch } = silences
  const { expire, problem } = useExpiry()
  const error = silences.error ?? problem
  const close = (): void => {
    const { filter: _, ...rest } = Object.fromEntries(query)
    location.hash = hashOf(['silences'], rest)
  }
  const done = async (): Promise<void> => {
    close()
    await queries.invalidateQueries({ queryKey: ['silences'] })
  }
  const { found, shown } = useChosenSilences(all, search)
  const { data: recurring = noRecurring, isSuccess: hasRecurring } = useRecurringSilences()
  const draft = draftAt(segments, query, { all, recurring })
  const hasRead = silences.isSuccess && (named !== recurringSegment || hasRecurring)
  return (
    <div className={classes.page}>
      <PageHead title={texts.pages.silences}>
        <MayButton action="silences:write" href={hashOf(['silences', 'new'])}>
          {texts.silences.new}
        </MayButton>
      </PageHead>
      <SilenceTools search={search} found={found} />
      {error !== null && <Failure error={error} triesAgain onRetry={() => void refetch()} />}
      {named !== undefined && draft === undefined && hasRead && (
        <Failure title={texts.silences.gone} />
      )}
      {isPending && error === null ? (
        <Loading />
      ) : shown.length === 0 && error === null ? (
        <Empty title={search.isNarrowed ? texts.silences.noMatch : texts.silences.none} />
      ) : (
        <SilenceList silences={shown} onExpire={expire} recurring={recurring} />
      )}
      <RecurringSilences recurring={recurring} silences={all} />
      <Dialog
        opened={draft !== undefined}
        onClose={close}
        title={
          draft?.id === undefined && draft?.recurring === undefined
            ? texts.silences.new
            : texts.silences.edit
        }
        size="lg"
      >
        {draft !== undefined && (
          <SilenceForm
            key={hashOf(segments, { filter: query.get('filter') ?? '' })}
            initial={draft}
            onDone={() => void done()}
            onCancel={close}
          />
        )}
      </Dialog>
    </div>
  )
}

/** What the form begins with at an address; `undefined` at one without a form, or of a silence that is not there. */
function draftAt(
  [, named, recurringId]: readonly string[],
  query: URLSearchParams,
  known: { all: readonly ListedSilence[]; recurring: readonly RecurringSilence[] },
): SilenceDraft | undefined {
  if (named === 'new') return draftOf(query.get('filter'))
  if (named === recurringSegment) {
    const found = known.recurring.find(({ id }) => id === recurringId)
    return found && draftOfRecurring(found)
  }
  const found = known.all.find(({ id }) => id === named)
  return found && draftFrom(found)
}

function draftOf(filter: string | null): SilenceDraft {
  const text = filter ?? ''
  const matchers = readMatchers(text).matchers ?? readClassicMatchers(text)
  return matchers === undefined ? { matchers: [], text } : { matchers }
}

function draftFrom({
  id,
  status,
  updatedAt: _,
  alertCount: _count,
  startsAt,
  endsAt,
  ...base
}: ListedSilence): SilenceDraft {
  // An expired silence can only be made again.
  if (status.state === 'expired') return base
  const times = { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) }
  return { ...base, id, ...times, hasStarted: status.state === 'active' }
}

const draftOfRecurring = ({
  id,
  matchers,
  timeIntervals,
  silenceIds,
  createdBy,
  comment,
  annotations,
}: RecurringSilence): SilenceDraft => ({
  recurring: { id, timeIntervals, silenceIds },
  matchers,
  createdBy,
  comment,
  ...(annotations && { annotations }),
})
