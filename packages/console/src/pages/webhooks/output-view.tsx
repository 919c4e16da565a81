import type { Run } from '@gatehouse/client'
import { Button, Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type FollowedOutput, useRunOutput } from '../../data/follow-run.ts'
import { lineName } from '../../output/output-lines.ts'
import { maxFound, searchLines } from '../../output/search-lines.ts'
import { groupMark } from '../../output/sections.ts'
import { hashOf, useParameter, useRememberedParameter } from '../../route/route.ts'
import { formatBytes } from '../../runs/sizes.ts'
import { useLanguage, useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Failure } from '../../widgets/states.tsx'
import { OutputRow } from './output-row.tsx'
import { OutputTools } from './output-tools.tsx'
import classes from './output-view.module.css'
import { useFolds } from './use-folds.ts'

/** Within so many pixels of its end, a list that grows is kept at its end. */
const nearEnd = 40

/** The output of a run as it comes: its last lines, of which only those in the window are in the document. */
export function OutputView({ run, onEnd }: { run: Run; onEnd: () => void }): ReactNode {
  const { webhooks: texts } = useTexts()
  const output = useRunOutput(run.run_id, onEnd)
  const { lines, version, state } = output
  const [word, setWord] = useState('')
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(word)
  // The list is always the same one; the version says that it has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const found = useMemo(() => searchLines(lines, wanted), [lines, version, wanted])
  const current = found.length === 0 ? undefined : found[Math.min(at, found.length - 1)]

  const [linkedName] = useParameter('line')
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const linked = useMemo(
    () => (linkedName === '' ? -1 : lines.findIndex((line) => lineName(line) === linkedName)),
    [lines, version, linkedName],
  )
  const folds = useFolds(output, current)
  const { sections, shown } = folds
  const [wrap, setWrap] = useRememberedParameter('wrap')
  const isWrapped = wrap !== 'off'

  const box = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const [isFollowing, setFollowing] = useState(true)
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => 20,
    overscan: 12,
    getItemKey: (index) => lines[shown[index] ?? -1]?.key ?? index,
  })
  const goToEnd = useCallback(() => {
    isAtEnd.current = true
    setFollowing(true)
    if (shown.length > 0) virtual.scrollToIndex(shown.length - 1, { align: 'end' })
  }, [shown, virtual])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version may have more lines
  useEffect(() => {
    if (isAtEnd.current && state === 'live') goToEnd()
  }, [version, state, goToEnd])
  // Where the lines stand changes with what is folded, which must not move what is read.
  const shownNow = useRef(shown)
  shownNow.current = shown
  const goTo = useCallback(
    (line: number) => {
      const at = shownNow.current.indexOf(line)
      if (at < 0) return
      isAtEnd.current = false
      virtual.scrollToIndex(at, { align: 'center' })
    },
    [virtual],
  )
  useEffect(() => {
    if (current !== undefined && wanted !== '') goTo(current)
  }, [current, wanted, goTo])
  useEffect(() => {
    if (linked < 0) return
    setFollowing(false)
    goTo(linked)
  }, [linked, goTo])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every line has another height now
  useEffect(() => virtual.measure(), [isWrapped, virtual])
  const onScroll = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - nearEnd
    setFollowing(isAtEnd.current)
  }
  const step = (by: number): void => {
    if (found.length > 0) setAt((at + by + found.length) % found.length)
  }
  return (
    <section className={classes.output}>
      <div className={classes.head}>
        <h2>{texts.output}</h2>
        <span className={classes.state} data-state={state} role="status">
          {texts.outputStates[state]}
        </span>
        <OutputTools
          run={run}
          word={word}
          position={found.length === 0 ? 0 : Math.min(at, found.length - 1) + 1}
          count={found.length}
          isAll={found.length < maxFound}
          onWord={(next) => {
            setWord(next)
            setAt(0)
          }}
          onStep={step}
        >
          {sections.size > 0 && (
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
      <div className={classes.frame}>
        <section
          ref={box}
          className={classes.lines}
          aria-label={texts.output}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by the keyboard
          tabIndex={0}
          onScroll={onScroll}
          hidden={lines.length === 0}
          data-wrap={isWrapped}
        >
          <div className={classes.all} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const at = shown[index] ?? -1
              const line = lines[at]
              const section = sections.get(at)
              const name = line && lineName(line)
              return line === undefined ? null : (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className={classes.place}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <OutputRow
                    line={line}
                    text={section?.isGroup ? line.text.replace(groupMark, '') : line.text}
                    word={wanted}
                    isCurrent={at === (current ?? linked)}
                    href={name && hashOf(['webhooks', 'run', run.run_id], { line: name })}
                    title={section?.title}
                    size={section?.size}
                    isFolded={section !== undefined && folds.isFolded(section)}
                    onFold={folds.toggle}
                  />
                </div>
              )
            })}
          </div>
        </section>
        {!isFollowing && state === 'live' && (
          <Button
            className={classes.toEnd ?? ''}
            size="xs"
            leftSection={<Icon name="down" size={14} />}
            onClick={goToEnd}
          >
            {texts.toEnd}
          </Button>
        )}
      </div>
    </section>
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
