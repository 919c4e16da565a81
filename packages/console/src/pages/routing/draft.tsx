import { Button, Checkbox, Group } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { restMs } from '../../data/live.ts'
import { client } from '../../data/services.ts'
import { lineBefore } from '../../routing/line-before.ts'
import { useTexts } from '../../texts/texts.ts'
import { Loading } from '../../widgets/states.tsx'
import { ComparisonView } from './comparison-view.tsx'
import { DraftEditor } from './draft-editor.tsx'
import classes from './routing-page.module.css'
import { useComparison } from './use-comparison.ts'

/** As in the style of the editor, in CSS pixels. */
const lineHeight = 19.5

/** The draft, for as long as the window is open. */
const key = 'gatehouse-draft'

const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => client.status({ signal }),
})

/** A draft of `alertmanager.yml`, which begins as the running one. */
export function Draft(): ReactNode {
  const kept = sessionStorage.getItem(key)
  // The running file may be another while a draft is written.
  const { data, error } = useQuery({ ...statusQuery, refetchInterval: restMs })
  if (kept === null && data === undefined && error === null) return <Loading />
  return <DraftForm initial={kept ?? data?.config.original ?? ''} running={data?.config.original} />
}

/** The text of a draft, beside what is wrong with it or what it would change. */
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
  const comparison = useComparison({ text, isLong, running })
  const goTo = (line: number): void => {
    const lines = text.split('\n')
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
    area.current?.focus()
    area.current?.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0))
    area.current?.scrollTo({ top: (line - 5) * lineHeight })
  }
  const queries = useQueryClient()
  const change = (next: string, current: string | undefined): void => {
    setText(next)
    if (next === current) sessionStorage.removeItem(key)
    else keepDraft(next)
  }
  const startOver = async (): Promise<void> => {
    const { config } = await queries.fetchQuery(statusQuery)
    change(config.original, config.original)
  }
  const { data, isOld } = comparison
  return (
    <form
      className={classes.draft}
      onSubmit={(event) => {
        event.preventDefault()
        comparison.compareNow()
      }}
    >
      <div className={classes.written}>
        <DraftEditor
          areaRef={area}
          label={routing.draftLabel}
          description={routing.draftHint}
          value={text}
          problems={isOld ? [] : (data?.problems ?? [])}
          onChange={(next) => change(next, running)}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={comparison.isPending}
            disabled={text.trim() === ''}
          >
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
      </div>
      <ComparisonView
        comparison={comparison}
        isRunning={text === running}
        goTo={goTo}
        before={(line) => (running === undefined ? undefined : lineBefore(running, text, line))}
      />
    </form>
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
