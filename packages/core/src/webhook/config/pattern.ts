import { report } from '../../document/place.ts'
import { text } from '../../document/values.ts'
import type { Decode } from './place.ts'

/** A regular expression in Unicode mode, which may match anywhere. */
export const pattern: Decode<RegExp> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  try {
    return new RegExp(written, 'u')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The engine quotes the whole expression before it says what is wrong.
    const reason = error.message.slice(error.message.lastIndexOf(': ') + 2)
    return report(place, 'bad_pattern', `is no regular expression: ${reason}`)
  }
}

/** A regular expression that the whole of a text must match. */
export const wholePattern: Decode<RegExp> = (place) => {
  const compiled = pattern(place)
  return compiled === undefined ? undefined : new RegExp(`^(?:${compiled.source})$`, 'u')
}
