import type { Run } from '@gatehouse/client'
import { Button, Checkbox } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { type FollowedOutput, useRunOutput } from '../../data/follow-run.ts'
import { lineName } from '../../output/output-lines.ts'
import { maxFound } from '../../output/search-lines.ts'
import { useParameter, useRememberedParameter } from '../../route/route.ts'
import { formatBytes } from '../../runs/sizes.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { Failure } from '../../widgets/states.tsx'
import { OutputList } from './output-list.tsx'
import { OutputTools } from './output-tools.tsx'
import classes from './output-view.module.css'
import { useFolds } from './use-folds.ts'
import { useOutputPlace } from './use-output-place.ts'
import { useOutputSearch } from './use-output-search.ts'

/** The output of a run as it comes: its last lines, of which only those in the window are in the document. */
export function OutputView({ run, onEnd }: { run: Run; onEnd: () => void }): ReactNode {
  const { webhooks: texts } = useTexts()
  const output = useRunOutput(run.run_id, onEnd)
  const { lines, state } = output
  const search = useOutputSearch(output)
  const linked = useLinkedLine(output)
  const folds = useFolds(output, search.current)
  const [wrap, setWrap] = useRememberedParameter('wrap')
  const isWrapped = wrap !== 'off'
  const place = useOutputPlace(output, folds.shown, search, linked)
  return (
    <section className={classes.output}>
      <div className={classes.head}>
        <h2>{texts.output}</h2>
        <span className={classes.state} data-state={state} role="status">
          {texts.outputStates[state]}
        </span>
        <OutputTools
          run={run}
          word={search.word}
          position={search.position}
          count={search.count}
          isAll={search.count < maxFound}
          onWord={search.setWord}
          onStep={search.step}
        >
          {folds.sections.size > 0 && (
            <Button size="xs" variant="default" onClick={folds.toggleAll}>
              {folds.areAllFolded ? texts.openAll : texts.foldAll}
            </Button>
          )}
          <Checkbox
            size="xs"
            label={texts.wrap}
            checked={isWrapped}
            onChange={({ currentTarget }) => setWrap(currentTarget.checked ? 'on' : 'off')}
          />
        </OutputTools>
      </div>
      <Notices run={run} output={output} />
      {lines.length === 0 && state !== 'loading' && state !== 'failed' && (
        <p className={classes.nothing}>{state === 'ended' ? texts.noOutput : texts.noOutputYet}</p>
      )}
      <OutputList
        run={run}
        output={output}
        folds={folds}
        place={place}
        word={search.wanted}
        marked={search.current ?? linked}
        isWrapped={isWrapped}
      />
    </section>
  )
}

/** The index of the line that the address names; -1 if there is none, or not yet. */
function useLinkedLine({ lines, version }: FollowedOutput): number {
  const [name] = useParameter('line')
  // The list is always the same one; the version says that it has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(
    () => (name === '' ? -1 : lines.findIndex((line) => lineName(line) === name)),
    [lines, version, name],
  )
}

/** Says which part of the output the page leaves out, and why. */
function Notices({ run, output }: { run: Run; output: FollowedOutput }): ReactNode {
  const { webhooks: texts } = useTexts()
  const language = useLanguage()
  const { dropped, state, error } = output
  // How the streams were mixed is not recorded.
  const [hadBoth] = useState(run.stdout_bytes > 0 && run.stderr_bytes > 0)
  const cut = (['stdout', 'stderr'] as const).filter((stream) => run[`${stream}_truncated`])
  return (
    <>
      {state === 'failed' && <Failure title={texts.outputStates.failed} error={error} />}
      {dropped > 0 && <p className={classes.notice}>{texts.dropped(dropped)}</p>}
      {hadBoth && <p className={classes.hint}>{texts.separate}</p>}
      {cut.map((stream) => (
        <p key={stream} className={classes.notice}>
          {texts.cut(stream, formatBytes(run[`${stream}_bytes`], language))}
        </p>
      ))}
    </>
  )
}
