import type { RouteMove, RoutePlace } from '@gatehouse/client'
import { Button, Checkbox, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { shortDuration } from '../../time/durations.ts'
import { Labels } from '../../widgets/labels.tsx'
import { Failure } from '../../widgets/states.tsx'
import { DraftEditor } from './draft-editor.tsx'
import classes from './routing-page.module.css'

const week = 7 * 86_400_000
/** As in the style of the editor, in CSS pixels. */
const lineHeight = 19.5

/** A draft of `alertmanager.yml`: what is wrong with it, or which alerts it would send elsewhere. */
export function Draft(): ReactNode {
  const { routing } = useTexts()
  const [text, setText] = useState('')
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
  const { problems = [], difference } = preview.data ?? {}
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
          preview.reset()
        }}
      />
      <Group>
        <Button type="submit" loading={preview.isPending} disabled={text.trim() === ''}>
          {routing.compare}
        </Button>
        <Checkbox
          label={routing.withHistory}
          checked={isLong}
          onChange={({ currentTarget }) => setLong(currentTarget.checked)}
        />
      </Group>
      {preview.error !== null && <Failure error={preview.error} />}
      <div role="status">
        {problems.length > 0 && (
          <>
            <h2>{routing.problems(problems.length)}</h2>
            <ul className={classes.problems}>
              {problems.map(({ line, column, message }) => (
                <li key={`${line}:${column}:${message}`}>
                  <button type="button" onClick={() => goTo(line)}>
                    {routing.problem(line, column)}: {message}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
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
      {sign} <strong>{place.receiver}</strong> · {routing.groupedBy(place.groupBy)} ·{' '}
      {times.map(shortDuration).join(' / ')}
      {intervals.length > 0 && ` · ${intervals.join(', ')}`}
    </p>
  )
}
