import {
  formatMatcher,
  type ListedSilence,
  type Matcher,
  type RecurringSilence,
  type Silence,
} from '@gatehouse/client'
import { Button, Checkbox, Group } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { type May, useMay } from '../../data/me.ts'
import { hashOf } from '../../route/route.ts'
import { ExtendMenu } from '../../silence-form/extend-menu.tsx'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { clip } from '../../widgets/clip.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { AllowedButton } from '../../widgets/may-button.tsx'
import { LocalTime, Since, Until } from '../../widgets/time.tsx'
import classes from './silences-page.module.css'

/** Only the silences near the window are in the document. */
export function SilenceList({
  silences,
  recurring,
  onExpire,
}: {
  silences: readonly ListedSilence[]
  recurring: readonly RecurringSilence[]
  onExpire: (silences: readonly Silence[]) => void
}): ReactNode {
  const texts = useTexts()
  const may = useMay('silences:write')
  const { chosen, toggle, set } = useChosenRows(silences)
  const recurringIds = useMemo(
    () => new Map(recurring.flatMap(({ id, silenceIds }) => silenceIds.map((one) => [one, id]))),
    [recurring],
  )
  const list = useRef<HTMLUListElement>(null)
  const rows = useWindowVirtualizer({
    count: silences.length,
    estimateSize: () => 100,
    overscan: 6,
    useFlushSync: false,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => silences[index]?.id ?? index,
  })
  const canExpire = silences.filter(({ status }) => status.state !== 'expired')
  return (
    <>
      {canExpire.length > 1 && (
        <div className={classes.bulk}>
          <Checkbox
            label={
              chosen.length === 0
                ? texts.silences.selectAll
                : texts.silences.selected(chosen.length)
            }
            checked={chosen.length === canExpire.length}
            indeterminate={chosen.length > 0 && chosen.length < canExpire.length}
            onChange={() => set(chosen.length === canExpire.length ? [] : canExpire)}
          />
          {chosen.length > 0 && (
            <AllowedButton
              may={may}
              size="xs"
              onClick={() => {
                onExpire(chosen)
                set([])
              }}
            >
              {texts.silences.expireSelected(chosen.length)}
            </AllowedButton>
          )}
        </div>
      )}
      <ul ref={list} className={classes.silences} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const silence = silences[index]
          return (
            silence !== undefined && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={silences.length}
                aria-posinset={index + 1}
                className={`${classes.silence} ${classes.place}`}
                style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
              >
                <SilenceItem
                  silence={silence}
                  recurringId={recurringIds.get(silence.id)}
                  isChosen={canExpire.length > 1 ? chosen.includes(silence) : undefined}
                  onChoose={toggle}
                  onExpire={onExpire}
                  may={may}
                />
              </li>
            )
          )
        })}
      </ul>
    </>
  )
}

/** The rows that are selected; one that is no longer listed is not selected any more. */
function useChosenRows(silences: readonly ListedSilence[]): {
  readonly chosen: readonly ListedSilence[]
  readonly toggle: (id: string) => void
  readonly set: (silences: readonly Silence[]) => void
} {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = useMemo(
    () => silences.filter(({ id, status }) => ids.has(id) && status.state !== 'expired'),
    [silences, ids],
  )
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  const set = useCallback((all: readonly Silence[]) => setIds(new Set(all.map(({ id }) => id))), [])
  return { chosen, toggle, set }
}

/** The matchers of a silence, and its comment. */
export function SilenceHead({
  matchers,
  comment,
}: {
  matchers: readonly Matcher[]
  comment: string
}): ReactNode {
  return (
    <>
      <div className={classes.matchers}>
        {matchers.map((matcher) => (
          <code key={formatMatcher(matcher)}>
            <bdi>{clip(formatMatcher(matcher))}</bdi>
          </code>
        ))}
      </div>
      <p className={classes.comment}>
        <bdi>{clip(comment, 1_000)}</bdi>
      </p>
    </>
  )
}

const SilenceItem = memo(function SilenceItem({
  silence,
  recurringId,
  isChosen,
  onChoose,
  onExpire,
  may,
}: {
  silence: ListedSilence
  /** The recurring silence that has left it. */
  recurringId: string | undefined
  /** Whether it is selected; `undefined` where nothing is to select. */
  isChosen: boolean | undefined
  onChoose: (id: string) => void
  onExpire: (silences: readonly Silence[]) => void
  may: May
}): ReactNode {
  const { silences: texts, alerts } = useTexts()
  const { id, matchers, status, startsAt, endsAt, createdBy, untilResolved, remindBeforeMs } =
    silence
  const isOver = status.state === 'expired'
  const place = hashOf(['silences', id])
  return (
    <>
      {isChosen !== undefined && !isOver && (
        <Checkbox
          aria-label={texts.select(clip(matchers.map(formatMatcher).join(', '), 100))}
          checked={isChosen}
          onChange={() => onChoose(id)}
        />
      )}
      <div className={classes.body}>
        <SilenceHead {...silence} />
        <p className={classes.quiet}>
          {recurringId !== undefined && (
            <>
              <a href={hashOf(['silences', 'recurring', recurringId])}>{texts.recurring}</a> ·{' '}
            </>
          )}
          {status.state === 'pending' && (
            <>
              {texts.starts} <LocalTime at={startsAt} /> (<Until at={startsAt} />) ·{' '}
            </>
          )}
          {status.state === 'active' && (
            <>
              {alerts.since} <Since at={startsAt} /> ·{' '}
            </>
          )}
          {texts.ends} <LocalTime at={endsAt} />
          {status.state === 'active' && (
            <>
              {' '}
              (<Until at={endsAt} />)
            </>
          )}
          {untilResolved === true && ` · ${texts.untilResolved}`}
          {remindBeforeMs !== undefined &&
            ` · ${texts.remind}: ${texts.before(shortDuration(remindBeforeMs))}`}{' '}
          · {texts.by} <bdi>{clip(createdBy, 100)}</bdi>
        </p>
      </div>
      <Group gap="xs">
        {!isOver && (
          <Button
            component="a"
            size="xs"
            variant="subtle"
            href={hashOf(['alerts'], { filter: matchers.map(formatMatcher).join(', ') })}
          >
            {alerts.count(silence.alertCount)}
          </Button>
        )}
        <CopyButton size="xs" variant="subtle" text={new URL(place, location.href).href}>
          {texts.copyLink}
        </CopyButton>
        <AllowedButton may={may} size="xs" variant="default" href={place}>
          {isOver ? texts.again : texts.edit}
        </AllowedButton>
        {!isOver && (
          <>
            <ExtendMenu id={id} may={may} size="xs" variant="default" />
            <AllowedButton
              may={may}
              size="xs"
              variant="default"
              onClick={() => onExpire([silence])}
            >
              {texts.expire}
            </AllowedButton>
          </>
        )}
      </Group>
    </>
  )
})
