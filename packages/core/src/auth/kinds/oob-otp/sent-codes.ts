import type { Content } from '../../../storage/decision-queue.ts'
import type { Instant } from '../../../time/clock.ts'
import {
  type CodeOutcome,
  type CodeRecord,
  isForAccount,
  isOwnFlow,
  type SentCode,
  tryCode,
} from './otp-code.ts'

/** How many codes of an address may be good at once. With a cooldown of a minute, links are good for less than that. */
const maxSentCodes = 32

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
  return [made, ...codes].slice(0, maxSentCodes)
}

/** The code that counts for a flow: the newest that was sent for it, or else the newest of all. */
export function codeOfFlow(codes: readonly SentCode[], flowId: string): SentCode | undefined {
  return codes.find(({ flow_id: id }) => id === flowId) ?? codes[0]
}

/**
 * Once the message of a code has left, it replaces the codes before it, except in the flows that those were sent for: a stranger
 * who asks for a code must not take away that of the owner. An approval that was given stays.
 */
export function afterSending(codes: readonly SentCode[], id: string): readonly SentCode[] {
  const index = codes.findIndex(({ code_id: one }) => one === id)
  const sent = codes[index]
  if (sent === undefined) return codes
  return codes.flatMap((code, at): readonly SentCode[] => {
    if (at <= index || code.state === 'approved') return [code]
    const isOfOther = code.state === 'out' && !isOwnFlow(code, sent.flow_id)
    return isOfOther ? [{ ...code, is_replaced: true }] : []
  })
}

/**
 * A code whose message could not be sent replaces none. If the client may learn of it, the code goes and that before it in the
 * same flow shows it. Else all stay as they are, so that the answers remain those to an unknown address.
 */
export function afterFailure(
  codes: readonly SentCode[],
  id: string,
  isShown: boolean,
): readonly SentCode[] {
  const fail = (code: SentCode): SentCode => ({ ...code, delivery: 'failed' })
  const failed = codes.find(({ code_id: one }) => one === id)
  const others = codes.filter((code) => code !== failed)
  if (!isShown || others.length === 0) return withCode(codes, id, fail)
  const before = others.find((code) => isOwnFlow(code, failed?.flow_id))
  return before === undefined ? others : withCode(others, before.code_id, fail)
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
  /** The code that it was compared with: the one that matches, or the one that counts for the flow. */
  readonly code_id: string | null
}

/**
 * {@link tryCode} for codes that are good at the same time. A wrong code counts for each of them. Codes that were replaced are left
 * out, except those of the flow, and links: the person who opens one may be in another browser.
 */
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
    readonly flow_id: string
  },
): CodesOutcome {
  const isGood = (code: SentCode): boolean =>
    code.is_replaced !== true || code.form === 'link' || isOwnFlow(code, options.flow_id)
  const isSameFor = (code: SentCode) => (mac: string) =>
    // Compared in any case, so that it takes the same time.
    isSame(mac) && isForAccount(code, { account_id })
  const good = codes.filter(isGood)
  const main = codeOfFlow(good, options.flow_id)
  if (main === undefined) {
    return { codes, outcome: tryCode(undefined, isSame, options).outcome, code_id: null }
  }
  const tried = new Map(good.map((code) => [code, tryCode(code, isSameFor(code), options)]))
  const found = good.find((code) => tried.get(code)?.outcome === 'matches')
  const used = good.find((code) => tried.get(code)?.outcome === 'used')
  const decisive = found ?? used ?? main
  const outcome = tried.get(decisive)?.outcome ?? 'differs'
  const after = codes.map((code) => {
    const isChanged = found === undefined || (options.consume && code === found)
    return (isChanged ? tried.get(code)?.record : undefined) ?? code
  })
  return { codes: after, outcome, code_id: decisive.code_id }
}
