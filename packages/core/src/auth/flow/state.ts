import type { Json, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import type { ApiKeyRecord } from '../accounts/api-key-record.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import type { ClaimName, ClaimValue, IdentityRecord } from '../accounts/identity-record.ts'
import type { AttributeChange } from '../accounts/user-profile.ts'
import type { Attributes, UserRecord } from '../accounts/user-record.ts'
import type {
  Authentication,
  Channel,
  EnteredStep,
  FlowType,
  OtpForm,
  Step,
} from '../config/flow-definition.ts'

/** A fact that a flow has established; a flow lists them in order. Nothing is stored about a user before the flow ends. */
export type Fact =
  /** A user will be created. */
  | { readonly kind: 'user_created'; readonly user_id: string }
  /** The flow is about this existing user. `is_promoted`: an anonymous user who will not be anonymous when the flow ends. */
  | {
      readonly kind: 'user_identified'
      readonly user_id: string
      readonly is_promoted?: true
    }
  /** No user has this identity, and the client must not learn that: no secret will match, and nothing is sent. */
  | { readonly kind: 'user_unknown'; readonly identity: Identified<IdentityRecord> }
  /**
   * `is_taken`: another user has it, and the client must not learn that: the flow cannot end. `apart`: claims that no other user
   * had when it came in, and none may have when the flow ends.
   */
  | {
      readonly kind: 'identity_created'
      readonly identity: Identified<IdentityRecord>
      readonly is_taken?: true
      readonly apart?: readonly ClaimValue[]
    }
  | { readonly kind: 'identity_used'; readonly identity_id: string }
  /** The user loses it, and everything that depends on it alone. */
  | { readonly kind: 'identity_removed'; readonly identity: Identified<IdentityRecord> }
  /** The claims of an identity have changed. */
  | { readonly kind: 'identity_updated'; readonly identity: Identified<IdentityRecord> }
  /** The user does not want to be offered a passkey again. */
  | { readonly kind: 'passkey_opted_out' }
  /** The session of the request is continued or renewed instead of a new one. */
  | {
      readonly kind: 'session_used'
      readonly session_id: string
      readonly renew: boolean
      /** Whether an ID token named the session; otherwise it is the session of the request. */
      readonly is_named?: true
      /** The identities and authenticators that were used or set up in the session, by id. */
      readonly own?: readonly string[]
    }
  | {
      readonly kind: 'claim_verified'
      readonly name: ClaimName
      readonly value: string
      readonly channel: Channel | null
    }
  /** `is_unshown`: the user has not proven to have it, so it is no factor of the session. */
  | {
      readonly kind: 'authenticator_created'
      readonly authenticator: Identified<AuthenticatorRecord>
      readonly is_unshown?: true
    }
  | {
      readonly kind: 'authentication_used'
      readonly authentication: Authentication
      /** The stored authenticator; `null` if none is stored (a code to a login ID, a recovery code). */
      readonly authenticator_id: string | null
      /** The address that a code went to. */
      readonly target?: string
      /** Another authenticator of the user that has the same secret: both are one factor. */
      readonly same_as?: string
      /** For a password: since when it has been in use. */
      readonly since?: Instant
      /** A better hash of the same password, to replace the stored one. */
      readonly rehash?: { readonly from: string; readonly to: string }
      /** For a passkey with user verification. */
      readonly user_verified?: true
    }
  /** The new password of an authenticator, which is created if needed. */
  | {
      readonly kind: 'password_changed'
      readonly authenticator_id: string | null
      readonly hash: string
      /** `user`: the user wanted another one. */
      readonly reason: 'policy' | 'expiry' | 'recovery' | 'user'
    }
  | { readonly kind: 'recovery_codes_created'; readonly hashes: readonly string[] }
  | { readonly kind: 'recovery_code_used'; readonly hash: string }
  /** A correct code; it is used up when the flow ends. */
  | {
      readonly kind: 'recovery_otp_used'
      readonly channel: Channel
      readonly target: string
      readonly form: OtpForm
      readonly code_id: string
    }
  | { readonly kind: 'profile_filled'; readonly changes: readonly AttributeChange[] }
  /** The host's changes to the profile; each member is replaced as a whole. */
  | {
      readonly kind: 'profile_replaced'
      readonly standard_attributes?: Attributes
      readonly custom_attributes?: Attributes
    }
  | { readonly kind: 'other_sessions_ended' }
  /** The sign-up began with an invitation, which its end uses up. The attributes are those that the user gets by it. */
  | {
      readonly kind: 'invitation_used'
      readonly id: string
      readonly nonce: string
      readonly email: string
      readonly standard_attributes: Attributes
      readonly custom_attributes: Attributes
    }
  /** The user withdraws the deletion that the user asked for. */
  | { readonly kind: 'deletion_withdrawn' }

/** The facts of one kind. */
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>

/** The prompt of a step. Each kind has a handler, which defines the other members. JSON. */
export interface FlowNode {
  readonly kind: string
}

/** An immutable state of a flow. JSON; stored sealed. */
export interface FlowSnapshot {
  readonly flow_id: string
  /** The innermost public flow that is running. */
  readonly type: FlowType
  readonly name: string
  /** The current step and its prompt. Both are missing once the flow has reached its end. */
  readonly step?: Step
  readonly node?: FlowNode
  /** The steps to run after the current one, before the pending ones. */
  readonly after: readonly Step[]
  /** The remaining steps. */
  readonly pending: readonly Step[]
  readonly entered: readonly EnteredStep[]
  readonly facts: readonly Fact[]
  /** Notes that outlive a step, by name. */
  readonly notes: { readonly [name: string]: Json }
}

/** Values shared by all states of a flow. */
export interface FlowSession {
  readonly flow_id: string
  readonly root: { readonly type: FlowType; readonly name: string }
  readonly created_at: Instant
  readonly client_id: string | null
  readonly ui_locales: string | null
  readonly state: string | null
  readonly x_state: string | null
  /** The login hint of the authorization request. */
  readonly login_hint?: string
  /** The only user the flow may be about, if the login hint demands one. */
  readonly demanded_login?: DemandedLogin
  /** The client context given when the flow was created. For hooks. */
  readonly client_context?: Json
  /** The session of the authorization bridge, if the flow began with a reference to it. */
  readonly authorization: AuthorizationSession | null
}

/** A login ID that the user must have. */
export interface DemandedLogin {
  /** @see `keyOfIdentity` */
  readonly key: string
  /** The user who has it; `null` if no user does. */
  readonly user_id: string | null
}

/** An authorization request that a flow serves. @see the port `AuthorizationBridge` */
export interface AuthorizationSession {
  readonly id: string
  readonly client_id?: string
  readonly prompt?: readonly string[]
  /** Ignore the session cookie. */
  readonly suppress_idp_session_cookie?: boolean
  readonly user_id_hint?: string
  readonly can_use_intention_to_reauthenticate?: boolean
  readonly login_hint?: string
  readonly ui_locales?: string
  readonly redirect_uri: string
}

/** The purpose of a code. Codes are separate per purpose. */
export type OtpPurpose = 'verification' | 'oob_otp' | 'forgot_password'

/** The kind of message. */
export type MessageKind =
  | 'verification'
  | 'setup_primary_oob'
  | 'setup_secondary_oob'
  | 'authenticate_primary_oob'
  | 'authenticate_secondary_oob'
  | 'forgot_password'

/** A code or link for an address. */
export interface OtpRequest {
  readonly purpose: OtpPurpose
  readonly channel: Channel
  readonly form: OtpForm
  /** The normalised address. */
  readonly target: string
  readonly message: MessageKind
  readonly user_id: string | null
  /** False if no user has the address: everything is done except sending. */
  readonly is_deliverable: boolean
  /** The message for the owner of a taken address, instead of a code. */
  readonly notice?: 'signup_taken'
  /** The channel that reports the approval of a link. */
  readonly websocket_channel: string | null
}

/** Performed once an input is accepted, before its state is stored. A failure refuses the input. */
export type Effect =
  /** Sends a code, unless the address or the flow is in its cooldown. */
  | { readonly kind: 'send_otp'; readonly otp: OtpRequest }
  | { readonly kind: 'create_device_token'; readonly user_id: string }
  | { readonly kind: 'clear_device_token' }

/** The writes that store the facts of a flow, as parts of one commit. */
export interface FactWrites {
  readonly writes: readonly Write[]
  /** The user after the writes. */
  readonly user: Identified<UserRecord>
  readonly identities: readonly Identified<IdentityRecord>[]
  /** What the first proof of an address has removed: of the user, and unproven login IDs of others. */
  readonly lost: LostRecords
}

/** Apps that a person had let in at the authorization server. */
export interface EndedApps {
  /** Those that end. */
  readonly apps: readonly { readonly client_id: string; readonly name: string }[]
  /** Removes what is of no use once the end is stored. Without it, that goes by itself when it expires. */
  clear(): Promise<void>
}

/** Records that the first proof of an address has removed. */
export interface LostRecords {
  /** Whether the user's sessions end too. */
  readonly ends_sessions: boolean
  readonly identities: readonly Identified<IdentityRecord>[]
  readonly authenticators: readonly Identified<AuthenticatorRecord>[]
  readonly api_keys: readonly Identified<ApiKeyRecord>[]
  /** `undefined` without an authorization server. */
  readonly apps: EndedApps | undefined
}
