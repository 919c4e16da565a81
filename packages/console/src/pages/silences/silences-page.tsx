import { readMatchers, type Silence, type SilenceState } from '@gatehouse/client'
import { SegmentedControl, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { findSilences } from '../../alerts/find-silences.ts'
import { useRefetchInterval } from '../../data/live.ts'
import { readSilences } from '../../data/silences.ts'
import { hashOf, useParameter, usePlace } from '../../route/route.ts'
import { readClassicMatchers } from '../../silence-form/classic-matchers.ts'
import type { SilenceDraft } from '../../silence-form/silence-draft.ts'
import { SilenceForm } from '../../silence-form/silence-form.tsx'
import { useExpiry } from '../../silence-form/use-expiry.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import { PageHead } from '../../widgets/page-head.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { RecurringSilences } from './recurring-silences.tsx'
import { SilenceList } from './silence-list.tsx'
import classes from './silences-page.module.css'

const states: readonly SilenceState[] = ['active', 'pending', 'expired']
const none: readonly Silence[] = []

/** The silences, and the form to make one. `#/silences/new?filter=…` opens the form, as in Alertmanager. */
export default function SilencesPage(): ReactNode {
  const texts = useTexts()
  const { segments, query } = usePlace()
  const named = segments[1]
  const [state, setState] = useParameter('state')
  const [search, setSearch] = useParameter('search')
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
    location.hash = hashOf(['silences'], { state, search })
  }
  const done = async (): Promise<void> => {
    close()
    await queries.invalidateQueries({ queryKey: ['silences'] })
  }
  const found = useMemo(() => findSilences(all, search), [all, search])
  const wanted = states.find((one) => one === state) ?? 'active'
  const shown = useMemo(
    () => found.filter(({ status }) => status.state === wanted),
    [found, wanted],
  )
  const edited = all.find(({ id }) => id === named)
  const draft = named === 'new' ? draftOf(query.get('filter')) : edited && draftFrom(edited)
  return (
    <div className={classes.page}>
      <PageHead title={texts.pages.silences}>
        <MayButton action="silences:write" href={hashOf(['silences', 'new'])}>
          {texts.silences.new}
        </MayButton>
      </PageHead>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={texts.alerts.state}
          value={wanted}
          onChange={(chosen) => setState(chosen === 'active' ? '' : chosen)}
          data={states.map((value) => ({
            value,
            label: texts.silences.inState(
              value,
              found.filter(({ status }) => status.state === value).length,
            ),
          }))}
        />
        <TextInput
          className={classes.search ?? ''}
          type="search"
          aria-label={texts.silences.search}
          placeholder={texts.silences.search}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      {error !== null && <Failure error={error} triesAgain onRetry={() => void refetch()} />}
      {named !== undefined && draft === undefined && silences.isSuccess && (
        <Failure title={texts.silences.gone} />
      )}
      {isPending && error === null ? (
        <Loading />
      ) : shown.length === 0 && error === null ? (
        <Empty title={search === '' ? texts.silences.none : texts.silences.noMatch} />
      ) : (
        <SilenceList silences={shown} onExpire={(silence) => expire([silence])} />
      )}
      <RecurringSilences />
      <Dialog
        opened={draft !== undefined}
        onClose={close}
        title={draft?.id === undefined ? texts.silences.new : texts.silences.edit}
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

function draftOf(filter: string | null): SilenceDraft {
  const text = filter ?? ''
  const matchers = readMatchers(text).matchers ?? readClassicMatchers(text)
  return matchers === undefined ? { matchers: [], text } : { matchers }
}

function draftFrom({ id, status, updatedAt: _, startsAt, endsAt, ...base }: Silence): SilenceDraft {
  // An expired silence can only be made again.
  if (status.state === 'expired') return base
  const times = { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) }
  return { ...base, id, ...times, hasStarted: status.state === 'active' }
}
