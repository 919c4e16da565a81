import type { Run } from '@gatehouse/client'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FollowedOutput } from '../../data/follow-run.ts'
import { lineName } from '../../output/output-lines.ts'
import { groupMark } from '../../output/sections.ts'
import { hashOf } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { OutputRow } from './output-row.tsx'
import classes from './output-view.module.css'
import type { Folds } from './use-folds.ts'
import type { OutputPlace } from './use-output-place.ts'

/** The lines of an output that are in view, with a way to its end. */
export function OutputList({
  run,
  output: { lines, state },
  folds: { sections, shown, isFolded, toggle },
  place: { box, virtual, isFollowing, goToEnd, onScroll },
  word,
  marked,
  isWrapped,
}: {
  run: Run
  output: FollowedOutput
  folds: Folds
  place: OutputPlace
  /** The word that is marked in the lines. */
  word: string
  /** The index of the line that is marked. */
  marked: number
  isWrapped: boolean
}): ReactNode {
  const { webhooks: texts } = useTexts()
  return (
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
                  word={word}
                  isCurrent={at === marked}
                  href={name && hashOf(['webhooks', 'run', run.run_id], { line: name })}
                  title={section?.title}
                  size={section?.size}
                  isFolded={section !== undefined && isFolded(section)}
                  onFold={toggle}
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
  )
}
