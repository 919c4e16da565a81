import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import { cooldownBuckets, firstTryOf } from '../../limits/buckets.ts'
import { rateLimited, takeTokens } from '../../limits/rate-limit.ts'
import { type LimitPorts, nextRunTokensAt } from '../../limits/spend-tokens.ts'
import type { OtpQuestions } from './otp-questions.ts'
import { codeStatus, type OtpPorts, takeApproval, untriedCode, verifyCode } from './otp-store.ts'

/** Answers the questions of rules about codes and links. */
export function otpAnswers(run: FlowRun<OtpPorts & LimitPorts>): Answers<OtpQuestions> {
  const { auth, session, now } = run
  const config = auth.config.current
  return {
    async check_cooldown(key) {
      const uses = cooldownBuckets(config, { ...key, flowId: session.flow_id })
      const ends = await nextRunTokensAt(run, uses)
      for (const [index, use] of uses.entries()) {
        const waitMs = (ends[index] ?? 0) - now
        if (waitMs > 0) throw rateLimited(use, waitMs)
      }
    },
    otp_status: (key) => codeStatus(run, key),
    verify_otp: (given) => verifyCode(auth, given, session.flow_id),
    async first_try(key) {
      const id = await untriedCode(auth, key, session.flow_id)
      return id !== undefined && (await takeTokens(auth, [firstTryOf(id)])).ok
    },
    check_link: (key) => takeApproval(run, key),
  }
}
