import type { Ids } from '../../crypto/ids.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  anything,
  listOf,
  mapOf,
  nullable,
  number,
  objectOf,
  optional,
  text,
} from '../../storage/record-check.ts'
import type { Json, Storage, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { FlowRequest } from '../flow/flow-request.ts'
import { isLanguage, maxLanguages } from '../flow/languages.ts'
import type { FlowRun } from '../flow/run.ts'
import type { EndedSessions } from '../flow/session/authorization-bridge.ts'
import { type InTransaction, outsideOf } from '../outside.ts'
import type { AuditLog } from './audit-log.ts'
import type { AuthEvent } from './auth-event.ts'
import { endedBy } from './ended-sessions.ts'
import type { HookEvent, HookSubject } from './hook.ts'
import { type PlacePorts, placeOf } from './place-of.ts'
import { hasReceiver, type ReceiverPorts } from './receivers.ts'

/** An event that waits for delivery. */
interface OutboxRecord {
  readonly event: Json
  /** The event's sequence number among all events; assigned at the first delivery attempt. */
  readonly seq?: number
  readonly attempts: number
  /** The receivers that have accepted it, by their digest; the others get it again. */
  readonly accepted?: readonly string[]
  /** Until then a process holds the claim to deliver it. */
  readonly claimed_until: Instant | null
  /** The sessions that ended with it, which apps are notified of. */
  readonly ended?: EndedSessions
}

/** Events that wait for delivery; their ids sort by age, oldest first. */
export const outboxCollection: TypedCollection<OutboxRecord> = defineCollection({
  name: 'auth_outbox',
  unreadable: 'skip',
  check: objectOf<OutboxRecord>({
    event: mapOf(anything),
    seq: optional(number),
    attempts: number,
    accepted: optional(listOf(text)),
    claimed_until: nullable(number),
    ended: optional(objectOf<EndedSessions>({ sessions: listOf(text), users: listOf(text) })),
  }),
})

/** How many events have a sequence number. */
export const eventCountCollection: TypedCollection<{ readonly count: number }> = defineCollection({
  name: 'auth_event_count',
  check: objectOf<{ readonly count: number }>({ count: number }),
})

/** What events are made and stored with. */
export interface EventPorts extends PlacePorts, ReceiverPorts, InTransaction<EventPorts> {
  readonly storage: Storage
  readonly ids: Ids
  readonly audit: AuditLog
  /** The operator whose request is served. */
  readonly operator?: string | undefined
  /** Whether events are delivered, and whether it was logged that they are not. */
  readonly background: { readonly isStarted: boolean; hasWarned: boolean }
}

type Payload = AuthEvent['payload']

/** The language if none is given. */
const defaultLanguage = 'en'

/** Creates the event of a request to a flow. */
export function flowEvent(
  run: FlowRun<EventPorts>,
  type: string,
  payload: Payload,
  userId: string | null,
): AuthEvent {
  const { auth, request, session, now } = run
  const languages = languagesOf(run)
  return newEvent(auth, type, payload, {
    timestamp: now,
    user_id: userId,
    triggered_by: 'user',
    client_id: session.client_id,
    ip_address: request.ip,
    user_agent: request.user_agent,
    ...placeOf(run.auth, run.request.ip),
    preferred_languages: languages,
    language: languages[0] ?? defaultLanguage,
    oauth: {
      ...(session.state === null ? {} : { state: session.state }),
      ...(session.x_state === null ? {} : { x_state: session.x_state }),
    },
    authentication_flow: session.root,
  })
}

/** Creates the event for a hook, which also gets the client's context. */
export function hookEvent(
  run: FlowRun<EventPorts>,
  subject: HookSubject,
  userId: string | null,
): HookEvent {
  const event = flowEvent(run, subject.type, subject.payload, userId)
  const { client_context: given } = run.session
  const context = given === undefined ? event.context : { ...event.context, client_context: given }
  return { ...event, ...subject, context }
}

/** Creates the event of a call by the host, of work that the service does by itself, or of what a user did outside of flows. */
export function hostEvent(
  auth: EventPorts,
  type: string,
  payload: Payload,
  userId: string | null,
  triggered_by: AuthEvent['context']['triggered_by'] = 'admin_api',
): AuthEvent {
  return newEvent(auth, type, payload, {
    timestamp: auth.clock.now(),
    user_id: userId,
    triggered_by,
    ...(triggered_by === 'admin_api' && auth.operator !== undefined && { operator: auth.operator }),
    client_id: null,
    ip_address: null,
    user_agent: null,
    preferred_languages: [],
    language: defaultLanguage,
    oauth: {},
    authentication_flow: null,
  })
}

/** The languages that the sign-in page requests; malformed ones are ignored. Without any, those of the browser. */
function languagesOf({ session, request }: FlowRequest): readonly string[] {
  const wanted = session.ui_locales?.split(/[ ,]+/) ?? []
  const tags = wanted.filter(isLanguage).slice(0, maxLanguages)
  return tags.length > 0 ? tags : request.languages
}

/** The ids are in the order in which the events came up. */
function newEvent(
  { ids, config }: EventPorts,
  type: string,
  payload: Payload,
  context: Omit<AuthEvent['context'], 'app_id'>,
): AuthEvent {
  return { id: ids.ordered(), type, payload, context: { ...context, app_id: config.current.id } }
}

/**
 * Commits writes together with their events: those with a receiver go to the outbox, and all of them to the audit log.
 *
 * @throws {GatehouseError} `StorageConflict`, after which nothing has happened.
 */
export async function commitWithEvents(
  auth: EventPorts,
  writes: readonly Write[],
  events: readonly AuthEvent[],
): Promise<void> {
  const { background, bridge, clock, logger, audit, transaction } = auth
  const ended =
    bridge.current?.sessionsEnded === undefined ? undefined : endedBy(writes, clock.now())
  const isNotedLater = transaction === undefined
  const noted = isNotedLater ? [] : audit.writesOf(events)
  const all = [...writes, ...outboxWrites(auth, events, ended), ...noted]
  if (all.length > 0) await auth.storage.commit(all)
  if (isNotedLater) audit.note(events)
  if (background.isStarted || background.hasWarned || events.length === 0) return
  const isAwaited = ended !== undefined || events.some(({ type }) => hasReceiver(auth, type))
  if (!audit.isOn && !isAwaited) return
  background.hasWarned = true
  logger.warn(
    {},
    'this process neither delivers events nor writes the audit log, because startAuth(auth) was not called',
  )
}

/** The writes that put events into the outbox, except events without a receiver. The first one carries the sessions that ended. */
function outboxWrites(
  auth: EventPorts,
  events: readonly AuthEvent[],
  ended: EndedSessions | undefined,
): readonly Write[] {
  return events.flatMap((event, index) => {
    const carried = index === 0 && ended !== undefined ? { ended } : {}
    if (carried.ended === undefined && !hasReceiver(auth, event.type)) return []
    const value = { event: event as unknown as Json, attempts: 0, claimed_until: null, ...carried }
    return [outboxCollection.write(event.id, value, { if: 'absent' })]
  })
}

/** Stores an event at once, even if the request fails later, or its transaction is rolled back. */
export async function emitEvent(
  run: FlowRun<EventPorts>,
  type: string,
  payload: Payload,
): Promise<void> {
  const { user_id: userId } = payload
  const event = flowEvent(run, type, payload, typeof userId === 'string' ? userId : null)
  await commitWithEvents(outsideOf(run.auth), [], [event])
}
