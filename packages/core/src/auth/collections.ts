import { blockCollection, packedCollection } from '../history/history-block.ts'
import { healthCollection } from '../storage/health.ts'
import { shapeCollection } from '../storage/readable-storage.ts'
import type { Collection } from '../storage/storage.ts'
import { usedProofCollection } from './access-tokens/proof-replay.ts'
import { apiKeyCollection, apiKeyGuardCollection } from './accounts/api-key-record.ts'
import { userAttributeCollection } from './accounts/attribute-index.ts'
import { authenticatorCollection } from './accounts/authenticator-record.ts'
import { deviceTokenCollection } from './accounts/device-token-record.ts'
import { identityCollection, identityKeyCollection } from './accounts/identity-record.ts'
import { knownBrowsersCollection } from './accounts/known-browsers-record.ts'
import { lockoutCollection } from './accounts/lockout-record.ts'
import { passwordHistoryCollection } from './accounts/password-history-record.ts'
import { recoveryCodeCollection } from './accounts/recovery-code-record.ts'
import { sessionCollection } from './accounts/session-record.ts'
import { userCollection } from './accounts/user-record.ts'
import { verifiedClaimCollection } from './accounts/verified-claim-record.ts'
import { auditCollection } from './events/audit-record.ts'
import { eventCountCollection, outboxCollection } from './events/outbox.ts'
import { flowCollection, flowMemoryCollection, stateCollection } from './flow-states/flow-record.ts'
import { invitationCollection } from './invitations/invitation-record.ts'
import { approvalCollection } from './kinds/oob-otp/listeners.ts'
import { codeCollection, linkCollection } from './kinds/oob-otp/otp-code.ts'
import { spentChallengeCollection } from './kinds/passkey/spend-challenge.ts'
import { bucketCollection } from './limits/rate-limit.ts'
import { claimGuardCollection } from './linking/claim-guards.ts'
import { keyRingCollection } from './signing/token-ring.ts'

/** All collections of the authentication flow service, for programs that create the tables in advance. */
export const authCollections: readonly Collection[] = Object.freeze([
  shapeCollection,
  flowCollection,
  stateCollection,
  flowMemoryCollection,
  userCollection,
  invitationCollection,
  userAttributeCollection,
  identityCollection,
  claimGuardCollection,
  identityKeyCollection,
  authenticatorCollection,
  verifiedClaimCollection,
  recoveryCodeCollection,
  passwordHistoryCollection,
  deviceTokenCollection,
  sessionCollection,
  apiKeyCollection,
  apiKeyGuardCollection,
  outboxCollection,
  eventCountCollection,
  auditCollection,
  blockCollection,
  packedCollection,
  bucketCollection,
  lockoutCollection,
  knownBrowsersCollection,
  codeCollection,
  linkCollection,
  approvalCollection,
  spentChallengeCollection,
  keyRingCollection,
  usedProofCollection,
  healthCollection,
])
