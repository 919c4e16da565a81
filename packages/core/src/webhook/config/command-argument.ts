import { wholePattern } from '../../document/patterns.ts'
import { findMember, memberOrSelf, membersOf, report, warn } from '../../document/place.ts'
import { flag, integer, oneOf, text } from '../../document/values.ts'
import type { Pattern } from '../../regex/regex.ts'
import type { ArgumentFormat, CommandArgument, OnMissing } from '../webhook.ts'
import { mappingOf } from './fields.ts'
import type { Decode } from './place.ts'
import { sourceOf } from './sources.ts'

/** What one argument may be at most, in bytes: Linux starts no process with a longer one. */
const longestArgument = 131_071

interface WrittenArgument {
  readonly name: string
  readonly source: string
  readonly format: ArgumentFormat
  readonly on_missing: OnMissing
  readonly default: string
  readonly pattern: Pattern
  readonly max_length: number
  readonly allow_dash: boolean
}

const written = mappingOf<WrittenArgument>({
  name: text,
  source: text,
  format: oneOf('separate', 'equals', 'concat', 'value'),
  on_missing: oneOf('error', 'name', 'skip', 'empty'),
  default: text,
  pattern: wholePattern,
  max_length: integer(0, longestArgument),
  allow_dash: flag,
})

/** One argument of a command. */
export const commandArgument: Decode<CommandArgument> = (place) => {
  const given = written(place)
  if (given === undefined) return undefined
  const { name = '', source = '' } = given
  const isEmpty = (key: 'name' | 'source'): boolean =>
    given[key] === '' || findMember(place, key) === undefined
  if (isEmpty('name') && isEmpty('source')) {
    return report(place, 'empty', 'needs a name or a source')
  }
  const from = source === '' ? undefined : sourceOf(memberOrSelf(place, 'source'), source)
  if (source !== '' && from === undefined) return undefined
  if (isEmpty('source')) {
    if (/\s/.test(name)) warn(memberOrSelf(place, 'name'), 'holds a blank, but stays one argument')
    const idle = membersOf(place).find(({ key }) => key !== 'name' && key !== 'source')
    if (idle !== undefined) warn(idle.keyPlace, 'means nothing without a source')
  }
  return {
    name,
    source,
    from,
    format: given.format ?? 'separate',
    on_missing: given.on_missing ?? 'error',
    default: given.default,
    pattern: given.pattern,
    max_length: given.max_length ?? 65_536,
    allow_dash: given.allow_dash ?? false,
  }
}
