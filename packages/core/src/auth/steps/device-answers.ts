import { sha256Hex } from '../../crypto/crypto.ts'
import type { Storage } from '../../storage/storage.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import type { Answers } from '../flow/asking.ts'
import type { FlowRun } from '../flow/run.ts'
import type { DeviceQuestions } from './device-questions.ts'

/** Answers to questions about trusted devices. */
export function deviceAnswers({
  auth,
  request,
}: FlowRun<{ readonly storage: Storage }>): Answers<DeviceQuestions> {
  return {
    async device_token({ user_id: id, authenticator_ids: ids }) {
      if (request.device_tokens.length === 0) return 'absent'
      const found = await Promise.all(
        request.device_tokens.map((token) =>
          deviceTokenCollection.get(auth.storage, sha256Hex(token)),
        ),
      )
      const isValid = found.some((record) => {
        const { user_id: owner, authenticator_id: factor = null } = record?.value ?? {}
        return owner === id && (factor === null || ids.includes(factor))
      })
      if (isValid) return 'valid'
      // The other tokens may belong to other users of the same browser.
      return found.every((record) => record === undefined) ? 'unknown' : 'absent'
    },
  }
}
