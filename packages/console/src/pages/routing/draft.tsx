import type { ConfigPreview, RouteMove, RoutePlace } from '@gatehouse/client'
import { Button, Checkbox, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { client } from '../../data/services.ts'
import { hashOf } from '../../route/route.ts'
import { lineBefore } from '../../routing/line-before.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { clip } from '../../widgets/clip.ts'
import { Labels } from '../../widgets/labels.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { visible } from '../../widgets/visible.ts'
import { DraftEditor } from './draft-editor.tsx'
import classes from './routing-page.module.css'

const week = 7 * 86_400_000
/** As in the style of the editor, in CSS pixels. */
const lineHeight = 19.5

/** The draft, for as long as the window is open. */
const key = 'gatehouse-draft'

/** A draft of `alertmanager.yml`, which begins as the running one. */
export function Draft(): ReactNode {
  const kept = sessionStorage.getItem(key)
  const { data, error } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => client.status({ signal }),
  })
  if (kept === null && data === undefined && error === null) return <Loading />
  return <DraftForm initial={kept ?? data?.config.original ?? ''} running={data?.config.original} />
}

/** The problems of a draft, or the alerts that it would send elsewhere. */
function DraftForm({
  initial,
  running,
}: {
  initial: string
  running: string | undefined
}): ReactNode {
  const { routing } = useTexts()
  const [text, setText] = useState(initial)
  const [isLong, setLong] = useState(true)
  const area = useRef<HTMLTextAreaElement>(null)
  const preview = useMutation({
    mutationFn: () =>
      client.previewConfig({ config: text, ...(isLong ? { historyMs: week } : {}) }),
  })
  const goTo = (line: number): void => {
    const lines = text.split('\n')
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
    area.current?.focus()
    area.current?.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0))
    area.current?.scrollTo({ top: (line - 5) * lineHeight })
  }
  const queries = useQueryClient()
  const startOver = async (): Promise<void> => {
    const { config } = await queries.fetchQuery({
      queryKey: ['status'],
      queryFn: ({ signal }) => client.status({ signal }),
    })
    sessionStorage.removeItem(key)
    setText(config.original)
    preview.reset()
  }
  const { problems = [], warnings = [], difference } = preview.data ?? {}
  const ways = {
    goTo,
    before: (line: number) => (running === undefined ? undefined : lineBefore(running, text, line)),
  }
  return (
    <form
      className={classes.draft}
      onSubmit={(event) => {
        event.preventDefault()
        preview.mutate()
      }}
    >
      <DraftEditor
        areaRef={area}
        label={routing.draftLabel}
        description={routing.draftHint}
        value={text}
        badLines={new Set(problems.map(({ line }) => line))}
        onChange={(next) => {
          setText(next)
          if (next === running) sessionStorage.removeItem(key)
          else keepDraft(next)
          preview.reset()
        }}
      />
      <Group>
        <Button type="submit" loading={preview.isPending} disabled={text.trim() === ''}>
          {routing.compare}
        </Button>
        <Button variant="default" onClick={() => void startOver()}>
          {routing.startOver}
        </Button>
        <Checkbox
          label={routing.withHistory}
          checked={isLong}
          onChange={({ currentTarget }) => setLong(currentTarget.checked)}
        />
      </Group>
      {preview.error !== null && <Failure error={preview.error} />}
      <div role="status">
        <Places title={routing.problems(problems.length)} places={problems} {...ways} />
        <Places title={routing.warnings(warnings.length)} places={warnings} {...ways} />
        {difference !== undefined && (
          <>
            <h2>{routing.moved(difference.moved, difference.alerts)}</h2>
            {difference.moves.map((move) => (
              <Move key={JSON.stringify([move.from, move.to])} move={move} />
            ))}
          </>
        )}
      </div>
    </form>
  )
}

/** What is wrong at some places of a draft; a click selects the line, another leads to the route that has it. */
function Places({
  title,
  places,
  goTo,
  before,
}: {
  title: string
  places: ConfigPreview['problems']
  goTo: (line: number) => void
  /** Where a line of the draft is in the running configuration. */
  before: (line: number) => number | undefined
}): ReactNode {
  const { routing } = useTexts()
  if (places.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul className={classes.problems}>
        {places.map(({ line, column, message, routeLine }) => (
          <li key={`${line}:${column}:${message}`}>
            <button type="button" onClick={() => goTo(line)}>
              {routing.problem(line, column)}: {visible(message)}
            </button>
            {routeLine !== undefined && (
              <RouteWay line={routeLine} running={before(routeLine)} goTo={goTo} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Leads to a route of a draft: in the tree if it runs, otherwise to its first line. */
function RouteWay({
  line,
  running,
  goTo,
}: {
  line: number
  running: number | undefined
  goTo: (line: number) => void
}): ReactNode {
  const { routing } = useTexts()
  return running === undefined ? (
    <button type="button" onClick={() => goTo(line)}>
      {routing.newRoute(line)}
    </button>
  ) : (
    <a href={hashOf(['routing'], { line: String(running) })}>{routing.itsRoute}</a>
  )
}

/** A draft that is too long for the browser is kept only while its page is open. */
function keepDraft(text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    sessionStorage.removeItem(key)
  }
}

function Move({ move }: { move: RouteMove }): ReactNode {
  const { alerts } = useTexts()
  const [example = {}] = move.examples
  return (
    <div className={classes.move}>
      <p>
        <strong>{alerts.count(move.count)}</strong>
      </p>
      <Labels labels={example} />
      {move.from.map((place) => (
        <Place key={JSON.stringify(place)} sign="−" place={place} />
      ))}
      {move.to.map((place) => (
        <Place key={JSON.stringify(place)} sign="+" place={place} />
      ))}
    </div>
  )
}

function Place({ sign, place }: { sign: '−' | '+'; place: RoutePlace }): ReactNode {
  const { routing } = useTexts()
  const times = [place.groupWaitMs, place.groupIntervalMs, place.repeatIntervalMs]
  const intervals = [...place.muteTimeIntervals, ...place.activeTimeIntervals]
  return (
    <p className={sign === '+' ? classes.to : classes.from}>
      {sign} <strong>{clip(place.receiver)}</strong> · {routing.groupedBy(place.groupBy)} ·{' '}
      {times.map(shortDuration).join(' / ')}
      {intervals.length > 0 && ` · ${intervals.join(', ')}`}
    </p>
  )
}
