import type { Matcher } from '@gatehouse/client'
import type { ReactNode } from 'react'
import { type Texts, useTexts } from '../texts/texts.ts'
import { refusalOf } from '../widgets/states.tsx'
import { maxUnremarked, type Surprise, surprisesOf } from './coverage.ts'
import { CoveredAlerts } from './covered-alerts.tsx'
import type { SilenceDraft } from './silence-draft.ts'
import classes from './silence-form.module.css'
import type { Preview } from './use-preview.ts'

/** What the silence would cover, and what may surprise in that. */
export function CoverageNotes({
  preview: { data, isOld, error },
  matchers,
  initial: { chosen, id, recurring, leftOut: withoutMatcher = [] },
  isAsking,
}: {
  preview: Preview
  matchers: readonly Matcher[]
  initial: SilenceDraft
  /** Whether it is asked once more if every alert is meant. */
  isAsking: boolean
}): ReactNode {
  const { silences: texts } = useTexts()
  const surprises = surprisesOf(matchers, isOld ? undefined : data, chosen?.length)
  const leftOut = withoutMatcher.filter((name) => matchers.every((one) => one.name !== name))
  const isUnknown = error !== null && refusalOf(error) === undefined
  return (
    <>
      <p className={classes.covers} role="status">
        {isUnknown
          ? texts.noPreview
          : data !== undefined && texts.covers(data.count, data.history?.count)}
      </p>
      {(surprises.length > 0 || leftOut.length > 0) && (
        <div className={classes.surprises} role="alert">
          {leftOut.length > 0 && <p>{texts.leftOut(leftOut)}</p>}
          {surprises.map((surprise) => (
            <p key={surprise.kind}>
              {describe(surprise, texts)}
              {isAsking && surprise.kind === 'every' && ` ${texts.askEvery}`}
            </p>
          ))}
        </div>
      )}
      {data !== undefined && (
        <div className={isOld ? classes.old : undefined}>
          <CoveredAlerts
            preview={data}
            chosen={chosen}
            own={recurring?.silenceIds ?? (id === undefined ? [] : [id])}
          />
        </div>
      )}
    </>
  )
}

function describe(surprise: Surprise, texts: Texts['silences']): string {
  switch (surprise.kind) {
    case 'none':
      return texts.matchesNone
    case 'every':
      return texts.coversEvery
    case 'contradiction':
      return texts.twoValues(surprise.name)
    case 'more':
      return texts.coversMore(surprise.count)
    case 'missed':
      return texts.misses(surprise.count)
    case 'many':
      return texts.coversMany(maxUnremarked)
  }
}
