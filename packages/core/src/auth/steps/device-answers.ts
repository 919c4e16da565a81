import { sha256Hex } from '../../crypto/crypto.ts'
import { deviceTokenCollection } from '../collections.ts'
import type { Answers } from '../flow/asking.ts'
import type { FlowRun } from '../flow/run.ts'
import type { DeviceQuestions } from './device-questions.ts'

/** Answers to questions about trusted devices. */
export function deviceAnswers({ auth, request }: FlowRun): Answers<DeviceQuestions> {
  return {
    async device_token({ user_id: id }) {
      if (request.device_tokens.length === 0) return 'absent'
      const found = await Promise.all(
        request.device_tokens.map((token) =>
          deviceTokenCollection.get(auth.storage, sha256Hex(token)),
        ),
      )
      if (found.some((record) => record?.value.user_id === id)) return 'valid'
      // The other tokens may belong to other users of the same browser.
      return found.every((record) => record === undefined) ? 'unknown' : 'absent'
    },
  }
}
