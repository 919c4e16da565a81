import type { Content } from '../../../storage/decision-queue.ts'
import type { Instant } from '../../../time/clock.ts'
import {
  type CodeOutcome,
  type CodeRecord,
  isForAccount,
  type SentCode,
  tryCode,
} from './otp-code.ts'

/** How many codes of an address may be good at once: the newest, whose message may not have left yet, and earlier ones. */
const mostSentCodes = 3

/** The codes of a record, the newest first, without those that have expired before the record. */
export function codesOf(
  stored: Content<CodeRecord> | undefined,
  now: Instant,
): readonly SentCode[] {
  if (stored?.value === undefined) return []
  const { earlier = [], ...newest } = stored.value
  const { expires_at: end = stored.expiresAt } = newest
  const codes = [end === undefined ? newest : { ...newest, expires_at: end }, ...earlier]
  return codes.filter(({ expires_at: at }) => at === undefined || at > now)
}

/** The record of these codes, the newest first; none for no code. It expires with the last of them. */
export function contentOf(codes: readonly SentCode[]): Content<CodeRecord> {
  const [newest, ...earlier] = codes
  if (newest === undefined) return { value: undefined }
  const value = earlier.length === 0 ? newest : { ...newest, earlier }
  const ends = codes.flatMap(({ expires_at: end }) => (end === undefined ? [] : [end]))
  return ends.length === 0 ? { value } : { value, expiresAt: Math.max(...ends) }
}

/** Adds a code whose message is about to leave. The others stay good until it has left. */
export function withNewCode(codes: readonly SentCode[], made: SentCode): readonly SentCode[] {
  return [made, ...codes].slice(0, mostSentCodes)
}

/** Once the message of a code has left, it replaces the codes before it; an approval that was given to one of them stays. */
export function afterSending(codes: readonly SentCode[], id: string): readonly SentCode[] {
  const index = codes.findIndex(({ code_id: one }) => one === id)
  if (index < 0) return codes
  return codes.filter(({ state }, at) => at <= index || state === 'approved')
}

/**
 * A code whose message could not be sent replaces none. If the client may learn of it, the code goes and the others show it. Else
 * all stay as they are, so that the answers remain those to an address that nobody has.
 */
export function afterFailure(
  codes: readonly SentCode[],
  id: string,
  isShown: boolean,
): readonly SentCode[] {
  const fail = (code: SentCode): SentCode => ({ ...code, delivery: 'failed' })
  const others = codes.filter(({ code_id: one }) => one !== id)
  if (!isShown || others.length === 0) return withCode(codes, id, fail)
  return others.map((code, index) => (index === 0 ? fail(code) : code))
}

/** Changes the code with this id. */
export function withCode(
  codes: readonly SentCode[],
  id: string,
  change: (code: SentCode) => SentCode,
): readonly SentCode[] {
  return codes.map((code) => (code.code_id === id ? change(code) : code))
}

/** The result of comparing a code with several, and these after it. */
export interface CodesOutcome {
  readonly codes: readonly SentCode[]
  readonly outcome: CodeOutcome['outcome']
  /** The code that it was compared with: the one that matches, or the newest. */
  readonly code_id: string | null
}

/** {@link tryCode} for codes that are good at the same time. A wrong code counts for each of them. */
export function tryCodes(
  codes: readonly SentCode[],
  isSame: (mac: string) => boolean,
  {
    account_id,
    ...options
  }: {
    readonly consume: boolean
    readonly limit: number
    readonly account_id: string | null
    readonly flow_id?: string
  },
): CodesOutcome {
  const isSameFor = (code: SentCode) => (mac: string) =>
    // Compared in any case, so that it takes the same time.
    isSame(mac) && isForAccount(code, { account_id })
  const [newest, ...earlier] = codes
  if (newest === undefined) {
    return { codes, outcome: tryCode(undefined, isSame, options).outcome, code_id: null }
  }
  const first = tryCode(newest, isSameFor(newest), options)
  const others = earlier.map((code) => tryCode(code, isSameFor(code), options))
  const tried = [first, ...others]
  const found = tried.find(({ outcome }) => outcome === 'matches')
  const { record, outcome } = found ?? tried.find((one) => one.outcome === 'used') ?? first
  const after = tried.flatMap(({ record: code }) => (code === undefined ? [] : [code]))
  const id = record?.code_id ?? null
  if (found === undefined) return { codes: after, outcome, code_id: id }
  const used = codes.map((code) => (code.code_id === id && record ? record : code))
  return { codes: options.consume ? used : codes, outcome, code_id: id }
}
