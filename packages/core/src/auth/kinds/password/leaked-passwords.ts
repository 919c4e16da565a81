import { withinTime } from '../../../async/within-time.ts'
import { hashText } from '../../../crypto/crypto.ts'
import { errorText } from '../../../errors.ts'
import { parseUrl } from '../../../http/parse-url.ts'
import { errorWithoutSecrets } from '../../../http-client/without-secrets.ts'
import {
  anyText,
  decodeInput,
  exactly,
  functionLike,
  optional,
  rawText,
} from '../../../input/decode.ts'
import { refuse } from '../../../input/refusal.ts'
import type { Logger } from '../../../logger.ts'
import type { Clock } from '../../../time/clock.ts'
import { type PostFetchAnswer, readText } from '../../events/outgoing-post.ts'
import { normalPassword } from '../../secrets/typed-password.ts'

/** Says whether a password is known from a leak. Once `signal` is aborted, the answer is ignored. */
export type LeakedPasswords = (
  password: string,
  call: { readonly signal: AbortSignal },
) => boolean | Promise<boolean>

/** The outcome of one check. */
export type LeakOutcome = 'clean' | 'leaked' | 'failed'

/** The part of `fetch` that is needed: that of the platform, or one through a proxy. Must not follow redirections. */
export type RangeFetch = (
  url: string,
  init: {
    readonly headers: Readonly<Record<string, string>>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<PostFetchAnswer>

/** Options of {@link createLeakedPasswords}. */
export interface LeakedPasswordsOptions {
  /** Where ranges are: the five digits are appended to it (default: that of Have I Been Pwned). */
  url?: string
  /** Default: the `fetch` of the platform. */
  fetch?: RangeFetch
}

const decodeOptions = exactly<LeakedPasswordsOptions>({
  url: optional((value) => {
    const url = rawText(value)
    return isRangeUrl(url) ? url : refuse('an https or http URL that ends with "/"', value)
  }),
  fetch: optional(functionLike('a function like fetch')),
})

/** Whether the digits of a range can be appended to a URL. @throws {GatehouseError} `InvalidInput` for anything but a text. */
export function isRangeUrl(url: string): boolean {
  const text = decodeInput('url', anyText, url)
  return /^https?:\/\/[^\s?#]+\/$/.test(text) && parseUrl(text) !== undefined
}

/** Where Have I Been Pwned has its ranges. */
const publicUrl = 'https://api.pwnedpasswords.com/range/'
/** A range has some thousand lines of about 40 bytes. */
const maxRangeBytes = 256 * 1_024
const prefixLength = 5
const rangeLine = /^([0-9A-Fa-f]{35}):(\d{1,15})$/

/**
 * Looks passwords up in a range service. Only the first five hex digits of the SHA-1 leave this process, which some million
 * passwords share. The service cannot tell how many of its lines are real, since it is asked to add others.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see https://haveibeenpwned.com/API/v3#SearchingPwnedPasswordsByRange
 */
export function createLeakedPasswords(options: LeakedPasswordsOptions = {}): LeakedPasswords {
  const { url = publicUrl, fetch = platformFetch } = decodeInput('options', decodeOptions, options)
  return async (password, { signal }) => {
    const digest = hashText('sha1', password).toString('hex').toUpperCase()
    const headers = { 'add-padding': 'true', 'user-agent': 'Gatehouse' }
    const target = `${url}${digest.slice(0, prefixLength)}`
    const { status, body } = await fetch(target, { headers, redirect: 'manual', signal })
    if (status === 200) return hasLine(await readText(body, maxRangeBytes), digest)
    await body?.cancel().catch(() => undefined)
    throw new Error(`the answer has the status ${status}`)
  }
}

const platformFetch: RangeFetch = (url, init) => fetch(url, init)

/** Lines that were added for disguise have the count 0. @throws {Error} if the text is no range. */
function hasLine(range: string, digest: string): boolean {
  const rest = digest.slice(prefixLength)
  let isFound = false
  for (const line of range.trim().split(/\r?\n/)) {
    const [, suffix = '', count = ''] = rangeLine.exec(line) ?? []
    // A page of a proxy, for example, says nothing about the password.
    if (suffix === '') throw new Error('the answer is not a range')
    if (suffix.toUpperCase() === rest && Number(count) > 0) isFound = true
  }
  return isFound
}

/** What {@link createLeakCheck} reports to. */
interface LeakCheckPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly counters: { leakChecked(outcome: LeakOutcome): void }
}

/** People wait for it. */
const timeoutMs = 2_000

/**
 * Asks the app's {@link LeakedPasswords} about the normal form of a password. What cannot be checked in two seconds passes: an
 * outage of a foreign service must keep nobody from a new password.
 */
export function createLeakCheck(
  isLeaked: LeakedPasswords,
  { clock, logger, counters }: LeakCheckPorts,
): (password: string) => Promise<boolean> {
  return async (typed) => {
    const password = normalPassword(typed)
    try {
      const found = await withinTime(clock, {
        ms: timeoutMs,
        work: async (signal) => isLeaked(password, { signal }),
        tooLate: () => new Error(`there was no answer in ${timeoutMs} ms`),
      })
      counters.leakChecked(found ? 'leaked' : 'clean')
      return found
    } catch (error) {
      counters.leakChecked('failed')
      const safe = errorWithoutSecrets(error, [password, typed])
      logger.warn({ error: errorText(safe) }, 'a password was not looked up among leaked ones')
      return false
    }
  }
}
