import { readdirSync, readFileSync } from 'node:fs'
import type { AuthorizationSession, ImportedUser, UserChanges } from '@gatehouse/core'
import type { UserRecord } from '../src/auth/accounts/records.ts'
import type { FakeAccount } from '../src/auth/kinds/oauth/oauth.fixture.ts'
import type { VectorHook } from './auth-vector-ports.ts'

/** Parts of a configuration, as deep as they are given. */
export interface ConfigParts {
  readonly [key: string]: unknown
}

/** A user who is there before the first step. */
export interface VectorUser extends Omit<ImportedUser, 'password' | 'mfa'> {
  readonly password?: string
  readonly mfa?: Omit<NonNullable<ImportedUser['mfa']>, 'password'> & { readonly password?: string }
  /** How many ms before the beginning the password ceased to be good. */
  readonly password_expired_ms?: number
}

/** A request, and what is expected of its answer. */
export interface RequestStep {
  /**
   * A method and where to: `create`, `input`, `state`, `approve`, or a path; either with a query. As
   * `POST create?client_id=web`.
   */
  readonly send: string
  readonly body?: unknown
  /** A body that is sent as it is. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whose cookies are sent, and kept (default `desktop`). */
  readonly browser?: string
  /** The client's address (default 192.0.2.1). */
  readonly address?: string
  /** Whether the request came over TLS (default true). */
  readonly secure?: boolean
  /** How often it is sent (default once); what is expected is of the last one. */
  readonly times?: number
  /** Default 200. */
  readonly status?: number
  /** The whole body of the answer. */
  readonly answer?: unknown
  /** What it has among other things. */
  readonly has?: unknown
  /** What its text contains. */
  readonly contains?: string
  readonly answered?: Readonly<Record<string, string>>
  /** The names of the cookies it sets, in order (default: not looked at). */
  readonly cookies?: readonly string[]
}

/** One step of a vector; each has one of these forms. */
export type VectorStep =
  | RequestStep
  | { readonly passSeconds: number }
  /** Replaces the configuration: the base, the vector's parts and these. */
  | { readonly configure: ConfigParts }
  | { readonly disable: string; readonly reason?: string }
  | { readonly update: string; readonly changes: UserChanges }
  /** Changes the record of a user, as somebody else would who writes to the same storage. */
  | { readonly overwrite: string; readonly user: Partial<UserRecord> }
  /** The next message cannot be sent. */
  | { readonly failNext: string }
  /** The newest message to an address, or that there is none. */
  | { readonly sentTo: string; readonly has?: unknown; readonly none?: true }
  /** How many records there are, by collection. */
  | { readonly stored: Readonly<Record<string, number>> }
  /** What the host is told, from the beginning. */
  | { readonly events: readonly string[] }
  /** The newest event of a type. */
  | { readonly told: string; readonly has: unknown }
  /** The user whose session a browser has. */
  | { readonly userOf: string; readonly has: unknown }
  /** The session of a browser, or that it has none. */
  | { readonly sessionOf: string; readonly has?: unknown; readonly none?: true }
  /** A browser makes a passkey, or uses one, as the options say: what it answers has a name from then on. */
  | { readonly makePasskey: unknown; readonly as: string; readonly browser?: string }
  | { readonly usePasskey: unknown; readonly as: string; readonly browser?: string }
  /** Signs in at the provider whose address it is. The query that the browser comes back with has a name from then on. */
  | { readonly signInAt: string; readonly account: FakeAccount; readonly as: string }
  /** Makes whoever uses a browser somebody anonymous, who has a session in it. */
  | { readonly anonymous: string }
  /** Ends the session of a browser, which keeps its cookie. */
  | { readonly revoke: string }
  /** Opens a WebSocket at the path of a URL. */
  | { readonly listen: string; readonly as: string }
  /** What has come over it so far. */
  | { readonly heard: string; readonly messages: readonly unknown[] }

/** A course of requests. */
export interface AuthVector {
  readonly name: string
  readonly source: string
  readonly config?: ConfigParts
  readonly users?: readonly VectorUser[]
  /** What the authorization server knows, by its references. */
  readonly bridge?: Readonly<Record<string, AuthorizationSession>>
  /** Whom ID tokens name, by their e-mail address, phone number or username. */
  readonly idTokens?: Readonly<Record<string, string>>
  readonly hook?: VectorHook
  /** How hard every password is to guess. */
  readonly passwordStrength?: number
  /** Senders that are not there. */
  readonly without?: readonly string[]
  readonly maxBodyBytes?: number
  readonly steps: readonly VectorStep[]
}

const folder = new URL('../vectors/auth/', import.meta.url)

/** The names of the files there are. */
export const authVectorFiles: readonly string[] = readdirSync(folder).sort()

/** The vectors of a file. */
export const readAuthVectors = (name: string): readonly AuthVector[] =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
