import type { Storage, Write } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { AuthorizationSession, EndedApps } from '../state.ts'

/** The outcome of a flow, for the bridge. */
export interface FlowOutcome {
  readonly user_id: string
  readonly session_id: string | null
  readonly amr: readonly string[]
  readonly authenticated_at: Instant
}

/** Connects flows to the host's own authorization server. */
export interface AuthorizationBridge {
  /** Finds the authorization session of a reference in the query that created the flow. */
  resolve(reference: string): Promise<AuthorizationSession | undefined>
  /** Returns the URI for the client once the flow has finished. */
  finish(session: AuthorizationSession, outcome: FlowOutcome): Promise<string>
  /** The apps that people have let in at the server, for their accounts and for operators (default: they see none). */
  readonly apps?: AuthorizedApps
  /**
   * Notifies apps that sessions have ended (default: apps are not notified). Called at least once after each end, in a process that runs
   * `startAuth()`. If it rejects, it is called again later, with a growing pause.
   */
  sessionsEnded?(ended: EndedSessions): Promise<void>
}

/** Sessions that count no more. */
export interface EndedSessions {
  /** Ids of sessions that were removed. */
  readonly sessions: readonly string[]
  /** Ids of users who may not sign in any more, so that none of their sessions counts. */
  readonly users: readonly string[]
}

/** An app that a person has let in. */
export interface AuthorizedApp {
  readonly client_id: string
  readonly name: string
  /** What the person has consented to; empty for apps that need no consent. */
  readonly scopes: readonly string[]
  /** The same of each API, by its identifier. */
  readonly resources: readonly AppResource[]
  /** All of this in words: of the account, without `api`, and of each API by its name. */
  readonly access: readonly AppAccess[]
  readonly authorized_at: Instant
  readonly last_used_at: Instant
}

/** The scopes of an API that an app may use. */
export interface AppResource {
  readonly identifier: string
  readonly scopes: readonly string[]
}

/** What an app may do, in words. */
export interface AppAccess {
  readonly api?: string
  readonly items: readonly string[]
}

/** The end of what apps may do for a person. */
export interface AppsEnd extends EndedApps {
  /** After these writes nothing that the apps were given is good any more. */
  readonly writes: readonly Write[]
}

/** The apps that people have let in. */
export interface AuthorizedApps {
  /** Those of a person, the last used first. `language` is that of the words, as `de`. */
  list(storage: Storage, userId: string, language: string): Promise<readonly AuthorizedApp[]>
  /** Prepares the end of some, or of all with the person's sessions at the server. Nothing has ended before the writes. */
  end(storage: Storage, userId: string, which?: AppsToEnd): Promise<AppsEnd>
}

/** Which apps end. */
export interface AppsToEnd {
  /** The one with this id (default: all). */
  readonly client_id?: string
  /** Those that were let in, or used a session of the person, at this instant or later (default: all). */
  readonly since?: Instant
}
