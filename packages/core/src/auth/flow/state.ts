import type { Json, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type {
  Attributes,
  AuthenticatorRecord,
  ClaimName,
  ClaimValue,
  Identified,
  IdentityRecord,
  UserRecord,
} from '../accounts/records.ts'
import type { AttributeChange } from '../accounts/user-profile.ts'
import type {
  Authentication,
  Channel,
  EnteredStep,
  FlowType,
  OtpForm,
  Step,
} from '../config/flow-definition.ts'

/** What a flow has established so far, in order. Nothing of it is stored about a user before the flow ends. */
export type Fact =
  /** A user will be made. */
  | { readonly kind: 'user_created'; readonly user_id: string }
  /** The flow is about this user, who exists. `is_promoted`: is anonymous, and will not be when the flow ends. */
  | {
      readonly kind: 'user_identified'
      readonly user_id: string
      readonly is_promoted?: true
    }
  /** Nobody has this identity, and the client is not to see that: no secret will match, nothing is sent. */
  | { readonly kind: 'user_unknown'; readonly identity: Identified<IdentityRecord> }
  /**
   * `is_taken`: it is somebody's, and the client is not to see that: the flow cannot end. `apart`: claims that nobody else had
   * when it came in, and nobody else may have when the flow ends.
   */
  | {
      readonly kind: 'identity_created'
      readonly identity: Identified<IdentityRecord>
      readonly is_taken?: true
      readonly apart?: readonly ClaimValue[]
    }
  | { readonly kind: 'identity_used'; readonly identity_id: string }
  /** The user has it no more, nor what stands on it alone. */
  | { readonly kind: 'identity_removed'; readonly identity: Identified<IdentityRecord> }
  /** What an identity says of its user has changed. */
  | { readonly kind: 'identity_updated'; readonly identity: Identified<IdentityRecord> }
  /** The user wants not to be asked again whether to make a passkey. */
  | { readonly kind: 'passkey_opted_out' }
  /** The session of the request goes on, or is renewed, in place of a new one. */
  | { readonly kind: 'session_used'; readonly session_id: string; readonly renew: boolean }
  | {
      readonly kind: 'claim_verified'
      readonly name: ClaimName
      readonly value: string
      readonly channel: Channel | null
    }
  | {
      readonly kind: 'authenticator_created'
      readonly authenticator: Identified<AuthenticatorRecord>
    }
  | {
      readonly kind: 'authentication_used'
      readonly authentication: Authentication
      /** Of a stored authenticator; `null` where none is stored (a code to a login ID, a recovery code). */
      readonly authenticator_id: string | null
      /** The address a code went to. */
      readonly target?: string
      /** Of a password: since when it is the one that was shown. */
      readonly since?: Instant
      /** A better hash of the same password, to be stored in place of the one it has. */
      readonly rehash?: { readonly from: string; readonly to: string }
      /** Of a passkey that has made sure of its user. */
      readonly user_verified?: true
    }
  /** The password of an authenticator will be this; made if it is not there yet. */
  | {
      readonly kind: 'password_changed'
      readonly authenticator_id: string | null
      readonly hash: string
      /** `user`: who has it wanted another one. */
      readonly reason: 'policy' | 'expiry' | 'recovery' | 'user'
    }
  | { readonly kind: 'recovery_codes_created'; readonly hashes: readonly string[] }
  | { readonly kind: 'recovery_code_used'; readonly hash: string }
  /** A code that was right, and is spent when the flow ends. */
  | {
      readonly kind: 'recovery_otp_used'
      readonly channel: Channel
      readonly target: string
      readonly form: OtpForm
      readonly code_id: string
    }
  | { readonly kind: 'profile_filled'; readonly changes: readonly AttributeChange[] }
  /** What the host makes of the profile; each is replaced as a whole. */
  | {
      readonly kind: 'profile_replaced'
      readonly standard_attributes?: Attributes
      readonly custom_attributes?: Attributes
    }
  | { readonly kind: 'other_sessions_ended' }

/** The facts of a kind. */
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>

/** What a step prompts for. Each kind has a handler; the rest is that handler's, and JSON. */
export interface FlowNode {
  readonly kind: string
}

/** One immutable state of a flow. JSON; sealed where it is kept. */
export interface FlowSnapshot {
  readonly flow_id: string
  /** The innermost public flow that is running. */
  readonly type: FlowType
  readonly name: string
  /** The step under way, and its prompt. Neither: the flow has come to its end. */
  readonly step?: Step
  readonly node?: FlowNode
  /** The steps that run when the one under way is done, before those that follow. */
  readonly after: readonly Step[]
  /** The steps that follow. */
  readonly pending: readonly Step[]
  readonly entered: readonly EnteredStep[]
  readonly facts: readonly Fact[]
  /** Memory of parts that reach over steps, by their name. */
  readonly notes: { readonly [name: string]: Json }
}

/** What is the same for all states of a flow. */
export interface FlowSession {
  readonly flow_id: string
  readonly root: { readonly type: FlowType; readonly name: string }
  readonly created_at: Instant
  readonly client_id: string | null
  readonly ui_locales: string | null
  readonly state: string | null
  readonly x_state: string | null
  /** What the authorization request says of whom it expects. */
  readonly login_hint?: string
  /** Whom alone the flow may be about, where the login hint demands it. */
  readonly demanded_login?: DemandedLogin
  /** What the client said of it when it created the flow. For hooks. */
  readonly client_context?: Json
  /** What the authorization bridge knows, where the flow began with a reference to it. */
  readonly authorization: AuthorizationSession | null
}

/** A login ID that whoever signs in must have. */
export interface DemandedLogin {
  /** @see `keyOfIdentity` */
  readonly key: string
  /** Whose it is; `null` if it is nobody's. */
  readonly user_id: string | null
}

/** An authorization request that a flow answers. @see the port `AuthorizationBridge` */
export interface AuthorizationSession {
  readonly id: string
  readonly client_id?: string
  readonly prompt?: readonly string[]
  /** Behave as if no session cookie came. */
  readonly suppress_idp_session_cookie?: boolean
  readonly user_id_hint?: string
  readonly can_use_intention_to_reauthenticate?: boolean
  readonly login_hint?: string
  readonly ui_locales?: string
  readonly redirect_uri: string
}

/** What a code is for; each purpose has codes of its own. */
export type OtpPurpose = 'verification' | 'oob_otp' | 'forgot_password'

/** Which message is sent. */
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
  /** False where nobody has the address: everything is done but for the sending. */
  readonly is_deliverable: boolean
  /** What the owner of a taken address is told in place of a code. */
  readonly notice?: 'signup_taken'
  /** The channel of the notice that a link was approved. */
  readonly websocket_channel: string | null
}

/** What is done once an input was accepted, before its state is stored. A failure refuses the input. */
export type Effect =
  /** Sends a code unless the cooldown of the address or the flow is running. */
  | { readonly kind: 'send_otp'; readonly otp: OtpRequest }
  | { readonly kind: 'create_device_token'; readonly user_id: string }
  | { readonly kind: 'clear_device_token' }

/** What the facts of a flow come to, as parts of one commit. */
export interface FactWrites {
  readonly writes: readonly Write[]
  /** The user as they will be. */
  readonly user: Identified<UserRecord>
  readonly identities: readonly Identified<IdentityRecord>[]
}
