import { formatMatcher, type Matcher, type Silence } from '@gatehouse/client'
import { Button, Group } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useRef } from 'react'
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
  onExpire,
}: {
  silences: readonly Silence[]
  onExpire: (silence: Silence) => void
}): ReactNode {
  const may = useMay('silences:write')
  const list = useRef<HTMLUListElement>(null)
  const rows = useWindowVirtualizer({
    count: silences.length,
    estimateSize: () => 100,
    overscan: 6,
    useFlushSync: false,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => silences[index]?.id ?? index,
  })
  return (
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
              <SilenceItem silence={silence} onExpire={onExpire} may={may} />
            </li>
          )
        )
      })}
    </ul>
  )
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
  onExpire,
  may,
}: {
  silence: Silence
  onExpire: (silence: Silence) => void
  may: May
}): ReactNode {
  const { silences: texts, alerts } = useTexts()
  const { id, matchers, status, startsAt, endsAt, createdBy, untilResolved, remindBeforeMs } =
    silence
  const isOver = status.state === 'expired'
  const place = hashOf(['silences', id])
  return (
    <>
      <div className={classes.body}>
        <SilenceHead {...silence} />
        <p className={classes.quiet}>
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
            {texts.itsAlerts}
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
            <AllowedButton may={may} size="xs" variant="default" onClick={() => onExpire(silence)}>
              {texts.expire}
            </AllowedButton>
          </>
        )}
      </Group>
    </>
  )
})
