import { goQuote } from '@gatehouse/go-template/text'
import {
  type ConfigKind,
  childPlace,
  decodeWith,
  isNull,
  mapOf,
  parsed,
  problemCount,
  reportCheck,
  reportType,
  text,
  texts,
} from '@gatehouse/go-template/yaml'
import { isLabelName, type LabelNames } from '../alert/label-set.ts'
import { compareMatchers, createMatcher, formatMatcher, type Matcher } from '../matcher/matcher.ts'
import { type MatcherMode, parseMatchers } from '../matcher/matcher-syntax.ts'

/** The syntax of matchers and label names. */
export interface MatcherSettings {
  readonly matcherMode: MatcherMode
  /** The valid label names in lists. */
  readonly labelNames: LabelNames
}

/** `matchers`: a list of texts that are lists of matchers. The result is sorted. */
export function matcherList({ matcherMode }: MatcherSettings): ConfigKind<readonly Matcher[]> {
  return {
    typeName: '[]string',
    zero: [],
    decode(place) {
      const before = problemCount(place.decoding)
      const lines = texts.decode(place)
      const { node } = place
      if (problemCount(place.decoding) > before || node.kind !== 'sequence') return []
      const matchers = node.items.flatMap((item, index) => {
        const itemPlace = childPlace(place, item, index)
        const line = isNull(item) ? '' : (lines[index] ?? '')
        return decodeWith(itemPlace, () => parseMatchers(line, matcherMode), [])
      })
      return matchers.sort(compareMatchers)
    },
    encode: (matchers) => matchers.map(formatMatcher),
  }
}

/** Keys with lists and mappings of the blocks that have labels. */
const blockKeys: ReadonlySet<string> = new Set([
  ...['active_time_intervals', 'mute_time_intervals', 'group_by', 'routes', 'rate_limit', 'labels'],
  ...['matchers', 'match', 'match_re', 'source_matchers', 'source_match', 'source_match_re'],
  ...['target_matchers', 'target_match', 'target_match_re', 'equal'],
])

/** The value of a label. In its place may be a list that belongs to the block around the labels. */
function labelValue<T>(kind: ConfigKind<T>): ConfigKind<T> {
  return {
    ...kind,
    decode(place) {
      if (place.node.kind === 'scalar') return kind.decode(place)
      const name = place.path.slice(place.path.lastIndexOf('.') + 1)
      const hint = blockKeys.has(name) ? `; did you mean ${name} one level up?` : ''
      reportType(place, kind.typeName, hint)
      return kind.zero
    },
  }
}

const valueMap = mapOf(labelValue(text), 'map[string]string')

/** `match`: the old form of `=`; names must be classic. */
export const matchMap: ConfigKind<ReadonlyMap<string, string>> = {
  ...valueMap,
  decode(place) {
    const before = problemCount(place.decoding)
    const values = valueMap.decode(place)
    for (const name of problemCount(place.decoding) > before ? [] : values.keys()) {
      if (!isLabelName(name, 'classic')) {
        reportCheck(place, `invalid label name ${goQuote(name)}`)
      }
    }
    return values
  },
}

const pattern = parsed<string | undefined>({
  zero: undefined,
  parse: (source) => {
    createMatcher('', '=~', source)
    return source
  },
  encode: (source) => source,
})

const patternMap = mapOf(labelValue(pattern), 'config.plain')

/** `match_re`: the old form of `=~`; names must be classic. */
export const matchRegexMap: ConfigKind<ReadonlyMap<string, string | undefined>> = {
  ...patternMap,
  decode(place) {
    const before = problemCount(place.decoding)
    const values = patternMap.decode(place)
    for (const [name, source] of problemCount(place.decoding) > before ? [] : values) {
      if (!isLabelName(name, 'classic')) {
        reportCheck(place, `invalid label name ${goQuote(name)}`)
      } else if (source === undefined) {
        reportCheck(place, `invalid regexp value for ${goQuote(name)}`)
      }
    }
    return values
  },
}

/** The three forms of matchers merged and sorted. */
export function allMatchers(
  match: ReadonlyMap<string, string>,
  matchRegex: ReadonlyMap<string, string | undefined>,
  matchers: readonly Matcher[],
): readonly Matcher[] {
  const equal = [...match].map(([name, value]) => createMatcher(name, '=', value))
  const regex = [...matchRegex].map(([name, value]) => createMatcher(name, '=~', value ?? ''))
  return [...equal, ...regex, ...matchers].sort(compareMatchers)
}
