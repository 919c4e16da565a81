// Texts as Go reads and writes them: quoted strings, durations and URLs; the order of their bytes.
export { GoError, isExpectedError } from '../go-error.ts'
export { compareBytes } from './byte-order.ts'
export { formatDuration, formatGoDuration, parseDuration, parseGoDuration } from './duration.ts'
export { goQuote, goUnquote } from './quote.ts'
export { formatGoUrl, type GoUrl, parseGoUrl, withoutPassword } from './url.ts'
export { zeroTime } from './zero-time.ts'
export { isZoneName } from './zone-name.ts'
