import { formatMatcher, readMatchers, type Silence, type SilenceState } from '@gatehouse/client'
import { Button, Group, Menu, Modal, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useRefetchInterval } from '../../data/live.ts'
import { useMay } from '../../data/me.ts'
import { client } from '../../data/services.ts'
import { hashOf, useParameter, usePlace } from '../../route/route.ts'
import type { SilenceDraft } from '../../silence-form/silence-draft.ts'
import { SilenceForm } from '../../silence-form/silence-form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { readDuration } from '../../time/durations.ts'
import { MayButton } from '../../widgets/may-button.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime, Since, Until } from '../../widgets/time.tsx'
import classes from './silences-page.module.css'

const states: readonly SilenceState[] = ['active', 'pending', 'expired']

/** The silences, and the form to make one. `#/silences/new?filter=…` opens the form, as in Alertmanager. */
export default function SilencesPage(): ReactNode {
  const texts = useTexts()
  const { segments, query } = usePlace()
  const [state, setState] = useParameter('state')
  const queries = useQueryClient()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['silences'],
    queryFn: ({ signal }) => client.silences.list({}, { signal }),
    refetchInterval: useRefetchInterval(),
  })
  const [undo, setUndo] = useState<Silence>()
  const close = (): void => {
    location.hash = hashOf(['silences'], { state })
  }
  const done = async (): Promise<void> => {
    close()
    await queries.invalidateQueries({ queryKey: ['silences'] })
  }
  const expire = useMutation({
    mutationFn: (silence: Silence) => client.silences.expire(silence.id),
    onSuccess: (_, silence) => {
      setUndo(silence)
      return queries.invalidateQueries({ queryKey: ['silences'] })
    },
  })
  const restore = useMutation({
    mutationFn: ({ id: _, status: _status, updatedAt: _updated, ...silence }: Silence) =>
      client.silences.create({ ...silence, startsAt: new Date().toISOString() }),
    onSuccess: () => {
      setUndo(undefined)
      return queries.invalidateQueries({ queryKey: ['silences'] })
    },
  })
  const all = data ?? []
  const wanted = states.find((one) => one === state) ?? 'active'
  const shown = all.filter(({ status }) => status.state === wanted)
  const named = segments[1]
  const edited = all.find(({ id }) => id === named)
  const draft = named === 'new' ? draftOf(query.get('filter')) : edited && draftFrom(edited)
  return (
    <>
      <Group justify="space-between" mb="md">
        <h1 className={classes.heading}>{texts.pages.silences}</h1>
        <MayButton action="silences:write" href={hashOf(['silences', 'new'])}>
          {texts.silences.new}
        </MayButton>
      </Group>
      <SegmentedControl
        aria-label={texts.alerts.state}
        value={wanted}
        onChange={(chosen) => setState(chosen === 'active' ? '' : chosen)}
        data={states.map((value) => ({
          value,
          label: `${texts.silences.states[value]} ${all.filter(({ status }) => status.state === value).length}`,
        }))}
      />
      {undo !== undefined && (
        <p className={classes.undo} role="status">
          {texts.silences.expired}
          <Button size="compact-sm" variant="default" onClick={() => restore.mutate(undo)}>
            {texts.silences.undo}
          </Button>
        </p>
      )}
      {(error ?? expire.error ?? restore.error) !== null && (
        <Failure error={error ?? expire.error ?? restore.error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null ? (
        <Loading />
      ) : shown.length === 0 ? (
        <Empty title={texts.silences.none} />
      ) : (
        <ul className={classes.silences}>
          {shown.map((silence) => (
            <SilenceItem
              key={silence.id}
              silence={silence}
              onExpire={() => expire.mutate(silence)}
            />
          ))}
        </ul>
      )}
      <RecurringSilences />
      <Modal
        opened={draft !== undefined}
        onClose={close}
        title={draft?.id === undefined ? texts.silences.new : texts.silences.edit}
        size="lg"
        closeButtonProps={{ 'aria-label': texts.keys.close }}
      >
        {draft !== undefined && (
          <SilenceForm initial={draft} onDone={() => void done()} onCancel={close} />
        )}
      </Modal>
    </>
  )
}

/** The recurring silences, if there are some. */
function RecurringSilences(): ReactNode {
  const { silences } = useTexts()
  const queries = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: ['silences', 'recurring'],
    queryFn: ({ signal }) => client.silences.recurring.list({ signal }),
  })
  const remove = useMutation({
    mutationFn: (id: string) => client.silences.recurring.delete(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['silences'] }),
  })
  if (data.length === 0) return null
  return (
    <>
      <h2 className={classes.part}>{silences.onRecurrence}</h2>
      {remove.error !== null && <Failure error={remove.error} />}
      <ul className={classes.silences}>
        {data.map(({ id, matchers, comment, createdBy, next }) => (
          <li key={id} className={classes.silence}>
            <div className={classes.body}>
              <div className={classes.matchers}>
                {matchers.map((matcher) => (
                  <code key={formatMatcher(matcher)}>
                    <bdi>{formatMatcher(matcher)}</bdi>
                  </code>
                ))}
              </div>
              <p className={classes.comment}>
                <bdi>{comment}</bdi>
              </p>
              <p className={classes.quiet}>
                {next !== undefined && (
                  <>
                    {silences.next} <LocalTime at={next.startsAt} /> {silences.until}{' '}
                    <LocalTime at={next.endsAt} /> ·{' '}
                  </>
                )}
                {silences.by} <bdi>{createdBy}</bdi>
              </p>
            </div>
            <Button
              size="xs"
              variant="default"
              loading={remove.isPending}
              onClick={() => remove.mutate(id)}
            >
              {silences.delete}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function SilenceItem({ silence, onExpire }: { silence: Silence; onExpire: () => void }): ReactNode {
  const texts = useTexts()
  const { id, matchers, status, startsAt, endsAt, createdBy, comment } = silence
  return (
    <li className={classes.silence}>
      <div className={classes.body}>
        <div className={classes.matchers}>
          {matchers.map((matcher) => (
            <code key={formatMatcher(matcher)}>
              <bdi>{formatMatcher(matcher)}</bdi>
            </code>
          ))}
        </div>
        <p className={classes.comment}>
          <bdi>{comment}</bdi>
        </p>
        <p className={classes.quiet}>
          {status.state === 'expired' ? (
            <>
              {texts.silences.ends} <LocalTime at={endsAt} />
            </>
          ) : status.state === 'pending' ? (
            <>
              {texts.silences.starts} <LocalTime at={startsAt} />
            </>
          ) : (
            <>
              {texts.alerts.since} <Since at={startsAt} /> · {texts.silences.ends}{' '}
              <LocalTime at={endsAt} /> (
              <Until at={endsAt} />)
            </>
          )}{' '}
          · {texts.silences.by} <bdi>{createdBy}</bdi>
        </p>
      </div>
      <Group gap="xs">
        <Button component="a" size="xs" variant="default" href={hashOf(['silences', id])}>
          {texts.silences.edit}
        </Button>
        {status.state !== 'expired' && <ExtendMenu id={id} />}
        {status.state !== 'expired' && (
          <MayButton action="silences:write" size="xs" variant="default" onClick={onExpire}>
            {texts.silences.expire}
          </MayButton>
        )}
      </Group>
    </li>
  )
}

const extensions = ['30m', '1h', '8h', '1d']

function ExtendMenu({ id }: { id: string }): ReactNode {
  const texts = useTexts()
  const queries = useQueryClient()
  const extend = useMutation({
    mutationFn: (byMs: number) => client.silences.extend({ id, byMs }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['silences'] }),
  })
  const label = texts.silences.extend
  if (!useMay('silences:write').allowed) {
    return (
      <MayButton action="silences:write" size="xs" variant="default">
        {label}
      </MayButton>
    )
  }
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default" loading={extend.isPending}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {extensions.map((duration) => (
          <Menu.Item key={duration} onClick={() => extend.mutate(readDuration(duration) ?? 0)}>
            {texts.silences.extendBy(duration)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function draftOf(filter: string | null): SilenceDraft {
  return { matchers: readMatchers(filter ?? '').matchers ?? [] }
}

function draftFrom({ id, status, updatedAt: _, startsAt, endsAt, ...base }: Silence): SilenceDraft {
  // An expired silence can only be made anew.
  if (status.state === 'expired') return base
  return { ...base, id, startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) }
}
