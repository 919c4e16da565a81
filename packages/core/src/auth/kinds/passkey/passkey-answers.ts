import type { Storage } from '../../../storage/storage.ts'
import { retryOnConflict, type Version } from '../../../storage/storage.ts'
import type { PasskeyAuthenticator } from '../../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import type { WithConfig } from '../../config/config.ts'
import { authenticatorTaken } from '../../errors.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { FlowInput } from '../../flow/view.ts'
import type { PasskeyParty, Passkeys, StoredPasskey } from '../../webauthn/passkeys.ts'
import { passkeyId, passkeyParty } from './passkey.ts'
import { type ChallengeMaker, createChallenge } from './passkey-challenge.ts'
import type { PasskeyQuestions, PasskeyUse } from './passkey-questions.ts'
import {
  answeredChallenge,
  sessionNotFound,
  spendChallenge,
  spentChallengeCollection,
} from './spend-challenge.ts'

interface PasskeyPorts extends WithConfig, ChallengeMaker {
  readonly storage: Storage
  readonly passkeys: Passkeys | undefined
}

/** Answers the questions of rules about passkeys. */
export function passkeyAnswers(run: FlowRun<PasskeyPorts>): Answers<PasskeyQuestions> {
  const { auth, now, session } = run
  const { flow_id } = session
  const party = (): PasskeyParty => passkeyParty(auth.config.current)
  return {
    passkey_creation_options(request) {
      const challenge = createChallenge(auth, { use: 'creation', flow_id, now })
      return portOf(auth).creationOptions(party(), { ...request, challenge })
    },
    passkey_request_options(request) {
      const challenge = createChallenge(auth, { use: 'assertion', flow_id, now })
      return portOf(auth).requestOptions(party(), { ...request, challenge })
    },
    async verify_passkey_creation({ response }) {
      const { challenge, spent } = answeredChallenge(run, response, 'creation')
      await spendChallenge(run, spent)
      const made = await portOf(auth).verifyCreation(party(), { challenge, response })
      if (made === undefined) return undefined
      const id = passkeyId(made.passkey.credential_id)
      if (await authenticatorCollection.get(auth.storage, id)) throw authenticatorTaken()
      return { id, passkey: made.passkey }
    },
    verify_passkey: ({ response, user_id: userId }) => verifyUse(run, response, userId),
  }
}

/** A configuration with passkeys requires the port. */
function portOf({ passkeys }: PasskeyPorts): Passkeys {
  if (passkeys !== undefined) return passkeys
  throw new TypeError('the flow uses passkeys, but the service was created without them')
}

/** Spends the challenge even if the response is invalid; a valid one raises the count in the same commit. */
async function verifyUse(
  run: FlowRun<PasskeyPorts>,
  response: FlowInput,
  userId: string | undefined,
): Promise<PasskeyUse | undefined> {
  const { auth } = run
  const { challenge, spent } = answeredChallenge(run, response, 'assertion')
  const credentialId = String(response.id)
  const id = passkeyId(credentialId)
  return retryOnConflict(async () => {
    if (await spentChallengeCollection.get(auth.storage, spent.id)) throw sessionNotFound()
    const stored = await findPasskey(auth, id)
    const used = await portOf(auth).verifyAssertion(passkeyParty(auth.config.current), {
      challenge,
      response,
      // Verify an unknown passkey too, so that it takes the same time.
      passkey: stored?.passkey ?? nobodysPasskey(credentialId),
    })
    if (stored === undefined || used === undefined || !isBy(stored.passkey, response, userId)) {
      await spendChallenge(run, spent)
      return undefined
    }
    const { passkey, version } = stored
    const isCounted = used.sign_count !== passkey.sign_count
    const counted = isCounted
      ? authenticatorCollection.write(
          id,
          { ...passkey, sign_count: used.sign_count },
          { if: version },
        )
      : { collection: authenticatorCollection, id, check: version }
    await auth.storage.commit([spent, counted])
    const { user_id } = passkey
    return { user_id, authenticator_id: id, is_user_verified: used.is_user_verified }
  })
}

async function findPasskey(
  { storage }: PasskeyPorts,
  id: string,
): Promise<{ readonly passkey: PasskeyAuthenticator; readonly version: Version } | undefined> {
  const record = await authenticatorCollection.get(storage, id)
  if (record?.value.type !== 'passkey') return undefined
  return { passkey: record.value, version: record.version }
}

/**
 * Whether a passkey belongs to the user, and the response names no other user. Without a user the response must name one: only
 * discoverable passkeys identify.
 *
 * @see WebAuthn Level 3, section 7.2, step 6
 */
function isBy(
  { user_id: owner }: PasskeyAuthenticator,
  { response }: FlowInput,
  userId: string | undefined,
): boolean {
  if (userId !== undefined && userId !== owner) return false
  const inner: FlowInput = Object(response)
  const handle = inner.userHandle ?? undefined
  if (handle === undefined) return userId !== undefined
  return handle === Buffer.from(owner).toString('base64url')
}

/** An ES256 key in COSE form without a known private key: the x of its point is the SHA-256 of `nobody`. */
const nobodysKey =
  'pQECAyYgASFYIGOCs8yIFBK3e_yu7QJgAcANnjAl5mwg9ufpLweYUUYqIlggzjsi3SLhgazDHIRUBUs2igvb3wh1P8T0x5fsQRNmZlc'

/** Stands for an unknown passkey, for verifications that must fail. */
function nobodysPasskey(credentialId: string): StoredPasskey {
  return {
    credential_id: credentialId,
    public_key: nobodysKey,
    sign_count: 0,
    transports: [],
    aaguid: '',
    is_backed_up: false,
  }
}
