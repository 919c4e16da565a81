import { goQuote } from '../../go/quote.ts'
import {
  type ConfigKind,
  childPlace,
  decodeWith,
  isNull,
  problemCount,
  reportCheck,
} from '../../go/yaml/decoder.ts'
import { mapOf, parsed, textMap, texts } from '../../go/yaml/kinds.ts'
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

/** `match`: the old form of `=`; names must be classic. */
export const matchMap: ConfigKind<ReadonlyMap<string, string>> = {
  ...textMap,
  decode(place) {
    const before = problemCount(place.decoding)
    const values = textMap.decode(place)
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

const patternMap = mapOf(pattern, 'config.plain')

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
