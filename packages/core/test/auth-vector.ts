import { readdirSync, readFileSync } from 'node:fs'
import type {
  AuthorizationSession,
  ImportedUser,
  NewInvitation,
  UserChanges,
} from '@gatehouse/core/auth'
import type { UserRecord } from '../src/auth/accounts/user-record.ts'
import type { FakeAccount } from '../src/auth/kinds/oauth/oauth.fixture.ts'
import type { VectorDirectory, VectorHook } from './auth-vector-ports.ts'

/** Parts of a configuration, nested to any depth. */
export interface ConfigParts {
  readonly [key: string]: unknown
}

/** A user who exists before the first step. */
export interface VectorUser extends Omit<ImportedUser, 'password' | 'mfa'> {
  readonly password?: string
  readonly mfa?: Omit<NonNullable<ImportedUser['mfa']>, 'password'> & { readonly password?: string }
  /** How many milliseconds before the start the password expired. */
  readonly password_expired_ms?: number
}

/** A request and its expected answer. */
export interface RequestStep {
  /**
   * A method and a target: `create`, `input`, `state`, `approve`, or a path, each with an optional query. Example: `POST
   * create?client_id=web`.
   */
  readonly send: string
  readonly body?: unknown
  /** A body to send unchanged. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The browser whose cookies are sent and stored (default `desktop`). */
  readonly browser?: string
  /** The client's address (default 192.0.2.1). */
  readonly address?: string
  /** Whether the request came over TLS (default true). */
  readonly secure?: boolean
  /** How often to send it (default once). The expectations apply to the last answer. */
  readonly times?: number
  /** Default 200. */
  readonly status?: number
  /** The whole expected body. */
  readonly answer?: unknown
  /** Expected parts of the body. */
  readonly has?: unknown
  /** A text that the body contains. */
  readonly contains?: string
  readonly answered?: Readonly<Record<string, string>>
  /** The names of the cookies that the answer sets, in order (default: not checked). */
  readonly cookies?: readonly string[]
}

/** One step of a vector, in one of these forms. */
export type VectorStep =
  | RequestStep
  | { readonly passSeconds: number }
  /** Replaces the configuration by the base, the vector's parts and these. */
  | { readonly configure: ConfigParts }
  | { readonly disable: string; readonly reason?: string }
  /** An operator acts as a user in a browser. */
  | { readonly impersonate: string; readonly operator: string; readonly browser: string }
  /** Expects the owner and the scopes of an API key, or that it is refused. */
  | { readonly keyIs: string; readonly has?: unknown; readonly none?: true }
  /** Invites an address. */
  | { readonly invite: NewInvitation }
  | { readonly update: string; readonly changes: UserChanges }
  /** Changes the record of a user directly in the storage. */
  | { readonly overwrite: string; readonly user: Partial<UserRecord> }
  /** Fails the next message. */
  | { readonly failNext: string }
  /** Expects the newest message to an address, or that there is none. */
  | { readonly sentTo: string; readonly has?: unknown; readonly none?: true }
  /** Expects numbers of records, by collection. */
  | { readonly stored: Readonly<Record<string, number>> }
  /** Expects the events that the host has received from the beginning. */
  | { readonly events: readonly string[] }
  /** Expects the newest event of a type. */
  | { readonly told: string; readonly has: unknown }
  /** Expects the user of a browser's session. */
  | { readonly userOf: string; readonly has: unknown }
  /** Expects the session of a browser, or that it has none. */
  | { readonly sessionOf: string; readonly has?: unknown; readonly none?: true }
  /** A browser creates or uses a passkey with these options. Its response gets a name. */
  | { readonly makePasskey: unknown; readonly as: string; readonly browser?: string }
  | { readonly usePasskey: unknown; readonly as: string; readonly browser?: string }
  /** Signs in at the provider at this address. The query of the redirect back gets a name. */
  | { readonly signInAt: string; readonly account: FakeAccount; readonly as: string }
  /** Signs a browser in as an anonymous user. */
  | { readonly anonymous: string }
  /** Revokes the session of a browser, which keeps its cookie. */
  | { readonly revoke: string }
  /** Opens a WebSocket at the path of a URL. */
  | { readonly listen: string; readonly as: string }
  /** Expects the messages received over it so far. */
  | { readonly heard: string; readonly messages: readonly unknown[] }

/** A sequence of requests. */
export interface AuthVector {
  readonly name: string
  readonly source: string
  readonly config?: ConfigParts
  readonly users?: readonly VectorUser[]
  /** The sessions of the authorization server, by reference. */
  readonly bridge?: Readonly<Record<string, AuthorizationSession>>
  /** The users that ID tokens name, by email address, phone number or username. */
  readonly idTokens?: Readonly<Record<string, string>>
  /** The users of the directories, by name. The directory fails for the name `away`. */
  readonly directory?: VectorDirectory
  readonly hook?: VectorHook
  /** The rights of operators, whose requests have the header `x-operator` (default: there are no routes for operators). */
  readonly operators?: Readonly<Record<string, readonly string[]>>
  /** The strength of every password. */
  readonly passwordStrength?: number
  /** Senders that are not configured. */
  readonly without?: readonly string[]
  readonly maxBodyBytes?: number
  readonly steps: readonly VectorStep[]
}

const folder = new URL('../vectors/auth/', import.meta.url)

/** The names of the vector files. */
export const authVectorFiles: readonly string[] = readdirSync(folder).sort()

/** The vectors of a file. */
export const readAuthVectors = (name: string): readonly AuthVector[] =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
