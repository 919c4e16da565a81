import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import { cooldownBuckets } from '../../limits/buckets.ts'
import { nextTokensAt, rateLimited } from '../../limits/rate-limit.ts'
import type { OtpQuestions } from './otp-questions.ts'
import { codeStatus, consumeApproved, hasOwnCode, verifyCode } from './otp-store.ts'

/** Answers the questions of rules about codes and links. */
export function otpAnswers({ auth, session, now }: FlowRun): Answers<OtpQuestions> {
  const config = auth.config.current
  return {
    async check_cooldown({ purpose, channel, target }) {
      const key = { purpose, channel, target, flowId: session.flow_id }
      const { target: ofTarget, flow } = cooldownBuckets(config, key)
      const uses = [ofTarget, flow]
      const ends = await nextTokensAt(auth, uses)
      for (const [index, use] of uses.entries()) {
        const waitMs = (ends[index] ?? 0) - now
        if (waitMs > 0) throw rateLimited(use, waitMs)
      }
    },
    otp_status: (key) => codeStatus(auth, key, session.flow_id),
    verify_otp: (given) => verifyCode(auth, given, session.flow_id),
    has_own_code: (key) => hasOwnCode(auth, key, session.flow_id),
    check_link: (key) => consumeApproved(auth, key, session.flow_id),
  }
}
