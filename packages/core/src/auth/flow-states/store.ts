import type { RecentMap } from '../../async/recent-map.ts'
import { sha256Hex } from '../../crypto/crypto.ts'
import type { Json, Storage, Version, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { WithConfig } from '../config/config.ts'
import type { FlowSession, FlowSnapshot } from '../flow/state.ts'
import type { Random } from '../secrets/random.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { createStateToken } from '../secrets/tokens.ts'
import type { StateRecord } from './flow-record.ts'
import { flowCollection, stateCollection } from './flow-record.ts'

/** What flows and their states are stored with. */
export interface StatePorts extends WithConfig {
  readonly storage: Storage
  readonly secrets: SecretBox
  readonly random: Random
  /** The states that this process stored last, by the hash of their token. */
  readonly recentStates: RecentMap<StateRecord>
}

/** A state to feed an input to. */
export interface StartingState {
  readonly state: FlowSnapshot
  readonly session: FlowSession
  /**
   * The version of the flow's own record. Removing the record at this version ends the flow. `undefined` for a new flow that is
   * not stored yet.
   */
  readonly version: Version | undefined
}

/** A state found by its token. */
export interface StoredState extends StartingState {
  readonly token: string
  readonly version: Version
}

const sealedFor = (purpose: 'flow' | 'state', id: string): string => `${purpose}:${id}`

/** Stores a new flow with its first state. Returns the state's token. */
export async function storeFlow(
  auth: StatePorts,
  session: FlowSession,
  state: FlowSnapshot,
  others: readonly Write[] = [],
): Promise<string> {
  const { secrets } = auth
  const id = session.flow_id
  const sealed = secrets.seal(session as unknown as Json, sealedFor('flow', id))
  const token = createStateToken(auth.random)
  const expiresAt = flowExpiry(auth, session)
  const flow = flowCollection.write(id, { sealed }, { expiresAt, if: 'absent' })
  await commitState(auth, { token, state, expiresAt }, [flow, ...others])
  return token
}

/** Stores a further state, which expires with its flow, and `others` in the same commit. Returns its token. */
export async function storeState(
  auth: StatePorts,
  { session, version }: StartingState,
  state: FlowSnapshot,
  others: readonly Write[] = [],
): Promise<string> {
  if (version === undefined) return storeFlow(auth, session, state, others)
  const token = createStateToken(auth.random)
  await commitState(auth, { token, state, expiresAt: flowExpiry(auth, session) }, others)
  return token
}

/** The state of a token; `undefined` if the token is unknown or expired, or its flow has ended. */
export async function loadState(auth: StatePorts, token: string): Promise<StoredState | undefined> {
  const { storage, secrets, recentStates } = auth
  const id = sha256Hex(token)
  // A state never changes, and counts only while its flow is stored.
  const stored = recentStates.get(id) ?? (await stateCollection.get(storage, id))?.value
  if (stored === undefined) return undefined
  const flowId = stored.flow_id
  const flow = await flowCollection.get(storage, flowId)
  if (flow === undefined) return undefined
  const state = secrets.open(stored.sealed, sealedFor('state', id))
  const session = secrets.open(flow.value.sealed, sealedFor('flow', flowId))
  if (state === undefined || session === undefined) return undefined
  return {
    token,
    state: state as unknown as FlowSnapshot,
    session: session as unknown as FlowSession,
    version: flow.version,
  }
}

async function commitState(
  { storage, secrets, recentStates }: StatePorts,
  { token, state, expiresAt }: { token: string; state: FlowSnapshot; expiresAt: Instant },
  others: readonly Write[] = [],
): Promise<void> {
  const id = sha256Hex(token)
  const sealed = secrets.seal(state as unknown as Json, sealedFor('state', id))
  const record = { flow_id: state.flow_id, sealed }
  await storage.commit([...others, stateCollection.write(id, record, { expiresAt })])
  recentStates.set(id, record)
}

/** When a flow expires, used or not. */
export function flowExpiry({ config }: WithConfig, session: FlowSession): Instant {
  return session.created_at + config.current.authentication_flow.lifetime_ms
}
