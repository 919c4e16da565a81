import type { WrittenSecret } from './outside.ts'

/** How senders sign. One of `secret` and `secrets` is needed. */
export interface WrittenSignature {
  readonly scheme:
    | 'github'
    | 'gitea'
    | 'gitlab-token'
    | 'stripe'
    | 'slack'
    | 'standard'
    | 'shopify'
    | 'hmac'
  readonly secret?: WrittenSecret
  /** Several secrets, while one replaces another. */
  readonly secrets?: readonly WrittenSecret[]
  /** How far a timestamp may be from now (default `300s`). */
  readonly tolerance?: string | number
  /** The header of the signature. For `hmac`, which needs it. */
  readonly header?: string
  /** What is signed, with `{body}` and `{timestamp}` in it (default `{body}`). For `hmac`. */
  readonly signed?: string
  /** The header that `{timestamp}` comes from. For `hmac`. */
  readonly timestamp_header?: string
  /** Default `sha256`. For `hmac`. */
  readonly algorithm?: 'sha256' | 'sha512' | 'sha1'
  /** Default `hex`. For `hmac`. */
  readonly encoding?: 'hex' | 'base64'
  /** What stands before the signature (default: nothing). For `hmac`. */
  readonly prefix?: string
}

/** Which requests repeat an earlier one. */
export interface WrittenDedupe {
  /** Where the key is found, as `header:X-GitHub-Delivery`. */
  readonly key: string
  /** How long a key counts (default `24h`). */
  readonly ttl?: string | number
}

/** A bucket of `runs` that fills up in `per`. */
export interface WrittenRateLimit {
  readonly runs: number
  readonly per: string | number
}

/** What must be true of a request before anything runs. A pattern in RE2 syntax may match anywhere in the value. */
type WrittenRule =
  | { readonly all: readonly WrittenRule[] }
  | { readonly any: readonly WrittenRule[] }
  | { readonly not: WrittenRule }
  | { readonly source: string; readonly equals: string }
  | { readonly source: string; readonly one_of: readonly string[] }
  | { readonly source: string; readonly pattern: string }
  | { readonly source: string; readonly exists: boolean }

/** A rule, and how a request is answered that does not satisfy it. */
export type WrittenRules = WrittenRule & {
  /** From 200 to 599 (default 200). */
  readonly mismatch_status?: number
}
