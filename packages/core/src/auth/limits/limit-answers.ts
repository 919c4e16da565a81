import type { DecisionQueue } from '../../storage/decision-queue.ts'
import type { Instant } from '../../time/clock.ts'
import type { LockoutRecord } from '../accounts/lockout-record.ts'
import { lockoutCollection } from '../accounts/lockout-record.ts'
import type { EventPorts } from '../events/outbox.ts'
import type { Answers } from '../flow/asking.ts'
import type { FlowRun } from '../flow/run.ts'
import { outsideOf } from '../outside.ts'
import { clientNetwork } from './client-network.ts'
import { knownBrowser } from './known-browser.ts'
import type { LimitQuestions, LockoutMethod } from './limit-questions.ts'
import { accountLocked, countFailure, lockedUntil, lockOfBrowser } from './lockout.ts'
import { type LimitPorts, refundTokens, spendTokens } from './spend-tokens.ts'

interface LockoutPorts extends LimitPorts {
  readonly queues: LimitPorts['queues'] & { readonly lockouts: DecisionQueue<LockoutRecord> }
}

/** Answers the questions of rules about rate limits and lockouts. */
export function limitAnswers(
  run: FlowRun<LockoutPorts>,
): Answers<Omit<LimitQuestions, 'verify_bot_protection'>> {
  const { auth, request, now } = run
  const { lockout } = auth.config.current.authentication
  const locked = (until: Instant): Error => {
    auth.counters.limitHit('AccountLockout')
    return accountLocked(until, now)
  }
  /** Failures of a known browser count apart, and strangers do not lock it. */
  const placeOf = async (userId: string): Promise<string> => {
    const browser = await knownBrowser(run, userId)
    return browser === undefined ? clientNetwork(request.ip) : lockOfBrowser(browser)
  }
  const participating = (method: LockoutMethod): boolean => lockout?.[method].enabled === true
  return {
    spend: ({ uses }) => spendTokens(run, uses),
    refund: ({ uses, isProven }) => refundTokens(run, uses, isProven),
    async check_lockout({ user_id: id, method }) {
      if (lockout === undefined || !participating(method)) return
      const record = await lockoutCollection.get(outsideOf<EventPorts>(auth).storage, id)
      const until = lockedUntil(record?.value, lockout, await placeOf(id), now)
      if (until !== undefined) throw locked(until)
    },
    async count_failure({ user_id: id, method }) {
      if (lockout === undefined || !participating(method)) return
      const place = await placeOf(id)
      const until = await auth.queues.lockouts.decide(id, (value) => {
        const counted = countFailure(value, lockout, place, now)
        return { value: counted.record, expiresAt: counted.expiresAt, answer: counted.until }
      })
      if (until !== undefined) throw locked(until)
    },
  }
}
