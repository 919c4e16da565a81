import type { Pattern } from '@gatehouse/go-template/regex'
import type { PublicKey } from '../crypto/public-key.ts'
import type { Secret } from '../crypto/secret.ts'
import type { AddressRange } from '../http/ip-address.ts'
import type { Json } from '../storage/storage.ts'

/** The forms of a configured token that a request may send. `any`: the token itself or its SHA-1. */
export type TokenFormat = 'any' | 'plain' | 'sha1' | 'sha256'

/** Checks a received token. The time depends only on the length of the text. */
export interface TokenCheck {
  accepts(received: string): boolean
}

/** The place of a value in a request. */
export type Source =
  /** A dotted path into the JSON body. */
  | { readonly kind: 'body'; readonly segments: readonly string[] }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'query'; readonly name: string }
  /** All headers without credentials, and the whole query, as JSON. */
  | { readonly kind: 'headers' }
  | { readonly kind: 'parameters' }
  | {
      readonly kind: 'request'
      readonly fact: 'method' | 'client_ip' | 'client_port' | 'id' | 'time'
    }
  /** The whole body as text. */
  | { readonly kind: 'raw' }
  /** The content of a file in a form. */
  | { readonly kind: 'file'; readonly name: string }
  /** The id that a signature of the scheme `standard` covers. */
  | { readonly kind: 'standard_id' }

/** When to start the command of a failed run again. Durations are in ms. */
export interface Retries {
  /** The most starts after the first one. */
  readonly count: number
  /** The wait before the second start; it doubles each time. */
  readonly delay: number
  readonly max_delay: number
  /** Only after these exit codes; `undefined` for all. */
  readonly exit_codes: readonly number[] | undefined
}

/** When a webhook runs without a delivery. */
export interface Schedule {
  /** Minute, hour, day, month and day of the week. */
  readonly cron: string
  readonly time_zone: string
  /** The data of each run, besides `schedule`. */
  readonly data: Readonly<Record<string, Json>> | undefined
}

/** After which runs of another webhook a webhook runs. */
export interface After {
  readonly webhook: string
  readonly on: 'success' | 'failure' | 'always'
}

/** The methods that a webhook may have. */
export const deliveryMethods = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'] as const

/** A method of a delivery. The data of GET and HEAD are its query. */
export type DeliveryMethod = (typeof deliveryMethods)[number]

/** Where the token stands in a request by path, besides `Authorization: Bearer` and `X-Webhook-Token`. */
export type TokenPlace =
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'query'; readonly name: string }
  /** The password of Basic authentication. */
  | { readonly kind: 'basic' }
  /** The last segment of the path, after the path of the webhook. */
  | { readonly kind: 'path' }

/** How the fields of a form become data. */
export interface FormRules {
  /** The field whose JSON is the data; `undefined` if the fields are. */
  readonly data: string | undefined
  /** Whether the fields are the data of a form without that field. */
  readonly or_fields: boolean
  /** Fields whose text is JSON. */
  readonly json: readonly string[]
  /** Whether `a[b]=1` and `a[]=1` become objects and lists. */
  readonly nested: boolean
}

/** What surrounds a value in a text: the text itself, a JSON text, markup, a header, a part of a URL. */
export type Surroundings = 'text' | 'json-string' | 'json-value' | 'markup' | 'header' | 'url'

/** A place for a value of a request. */
export interface Placeholder {
  readonly source: string
  readonly from: Source
  readonly within: Surroundings
}

/** A text of the configuration with places for values of a request. */
export type Template = readonly (string | Placeholder)[]

/** An answer whose text is in the configuration. */
export interface ConfiguredAnswer {
  readonly text: Template
  /** The media type of the text. */
  readonly type: string
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, Template>
}

/** An answer to deliveries that need no run. */
export interface DirectAnswer extends ConfiguredAnswer {
  readonly when: Rule
  readonly status: number
}

/** The formats of bodies. */
export const bodyFormats = ['json', 'form', 'text', 'multipart', 'xml', 'any'] as const

/** A format of bodies that are data. The data of `any` are empty: only its bytes are used. */
export type BodyFormat = (typeof bodyFormats)[number]

/** How the name and the value of an argument become entries of the argument list. */
export type ArgumentFormat = 'separate' | 'equals' | 'concat' | 'value'

/** What to do about a missing value. */
export type OnMissing = 'error' | 'name' | 'skip' | 'empty'

/** An argument that a request may fill in. */
export interface CommandArgument {
  readonly name: string
  /** As written: the path, or empty for a fixed text. */
  readonly source: string
  /** The meaning of `source`; `undefined` for a fixed text. */
  readonly from: Source | undefined
  readonly format: ArgumentFormat
  readonly on_missing: OnMissing
  readonly default: string | undefined
  /** Must match the whole value. */
  readonly pattern: Pattern | undefined
  /** In bytes of UTF-8. */
  readonly max_length: number
  /** Whether a value may start an argument with a dash. */
  readonly allow_dash: boolean
}

/** The configured command, parsed once. It never contains values of a request. */
export type CommandLine =
  /** The program and its fixed words; started without a shell. */
  | { readonly kind: 'words'; readonly words: readonly [string, ...string[]] }
  /** A text with shell syntax; values of a request are its positional parameters. */
  | { readonly kind: 'shell'; readonly shell: string; readonly text: string }

/** A condition on a request, checked before a command runs. */
export type Rule =
  | { readonly kind: 'all'; readonly rules: readonly Rule[] }
  | { readonly kind: 'any'; readonly rules: readonly Rule[] }
  | { readonly kind: 'not'; readonly rule: Rule }
  /** The delivery has a valid signature. */
  | { readonly kind: 'signature'; readonly signature: SignatureOptions }
  /** The address of the client is in one of these ranges. */
  | { readonly kind: 'client_ip'; readonly ranges: readonly AddressRange[] }
  | {
      readonly kind: 'match'
      readonly from: Source
      readonly test:
        | { readonly kind: 'equals'; readonly value: string }
        | { readonly kind: 'one_of'; readonly values: readonly string[] }
        | { readonly kind: 'pattern'; readonly pattern: Pattern }
        | { readonly kind: 'exists'; readonly exists: boolean }
    }

/** How signatures are made. `token`: the secret itself, which signs nothing. */
export const signatureAlgorithms = [
  'token',
  'hmac-sha1',
  'hmac-sha256',
  'hmac-sha512',
  'ed25519',
  'ecdsa-sha256',
  'ecdsa-sha512',
  'rsa-sha1',
  'rsa-sha256',
  'rsa-sha512',
] as const

/** How a signature is made, and so with which kind of key it is checked. */
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number]

/** Where a delivery has a text of its proof: a header, or a part of one; or a member of the body, such as `data.signature`. */
export type SignaturePlace =
  | {
      readonly header: string
      /** Of a header with several parts: the beginning of this part. */
      readonly prefix?: string
    }
  | { readonly field: string }

/** Where a delivery names its certificate. */
export interface SigningCertificatePlace {
  readonly url: SignaturePlace
  /** The whole URLs that it may have: https, at hosts of the sender, whose TLS is what makes the certificate trusted. */
  readonly allowed: RegExp
}

/** How a sender signs: everything that checks a signature or makes one, except for the key. */
export interface SignatureFormat {
  readonly algorithm: SignatureAlgorithm
  /** Where the signature is. A header may have several, of which one must match. */
  readonly signature: SignaturePlace
  readonly encoding: 'hex' | 'base64'
  /**
   * The signed text, with marks in it: `{body}`, `{crc32}` and `{sha256}` (those of the body), `{timestamp}`, `{id}`,
   * `{audience}`, `{url}`, `{url&}` (with the `?` or `&` before another parameter), `{parameters}` (those of a form, sorted by name), `{header:NAME}`, and members of the body such as `{data.token}`.
   */
  readonly signed: string
  /** Where the text for `{id}` is. */
  readonly id?: SignaturePlace
  /** Where the time is. It counts only if it is signed: as `{timestamp}`, or as a member of the body. `iso` is that of RFC 3339, `http` that of dates in headers. */
  readonly timestamp?: SignaturePlace & { readonly unit: 's' | 'ms' | 'either' | 'iso' | 'http' }
  /** What only deliveries in this format have: texts, such as a version, or a parameter of the query. */
  readonly when?: readonly (
    | (SignaturePlace & { readonly is: string })
    | { readonly query: string }
  )[]
  /** The certificate whose key signs, which is fetched. Keys of the configuration do not count then. */
  readonly certificate?: SigningCertificatePlace
  /** How the text of a secret is a key (default `text`); `base64` may begin with `whsec_`. */
  readonly key?: 'text' | 'base64'
}

/** How to verify the proofs of a delivery. */
export interface SignatureOptions {
  /** The first format whose texts are all there counts, so that no delivery mixes two. */
  readonly formats: readonly SignatureFormat[]
  /** For the formats of tokens and HMAC. Each of them is accepted. */
  readonly secrets: readonly Secret[]
  /** For the formats of public keys, and of their kind. Each of them is accepted. */
  readonly public_keys: readonly PublicKey[]
  /** The largest difference of a timestamp to now, in ms. */
  readonly tolerance: number
  /** One more timestamp inside of the signed body, in seconds or ms. */
  readonly timestamp_source: Source | undefined
  /** The URL as the sender knows it, for `{url}`. */
  readonly url: string | undefined
  /** For whom the sender signs, as it knows this webhook, for `{audience}`. */
  readonly audience: string | undefined
}

/** A request that may only ask whether the webhook is there. */
export interface HandshakeRequest {
  readonly method: string
  /** `undefined` if the header is missing. */
  header(name: string): string | undefined
  /** The first value of a query parameter. */
  query(name: string): string | undefined
  /** A member of the body as text, by a path such as `data.challenge`. */
  value(path: string): string | undefined
  /** The configured secrets of its signature. */
  readonly secrets: readonly string[]
  /** The configured `verify_token`. */
  readonly verifyToken: string | undefined
  /** The configured `audience`. */
  readonly audience: string | undefined
}

/** The answer to a handshake. `json` is a value for `JSON.stringify`; without it and `text` there is no body. */
export interface HandshakeAnswer {
  readonly status: number
  readonly text?: string
  readonly json?: object
  /** A URL to get before the answer, which confirms that this webhook wants its deliveries. It must be one of the sender. */
  readonly visit?: string
}

/** Answers a handshake, or returns `undefined` for a delivery that is none. */
export type Handshake = (request: HandshakeRequest) => HandshakeAnswer | undefined

/** What is known of a sender: how it proves itself and what it expects. */
export interface Sender {
  /** As configurations name it. */
  readonly name: string
  /** Without formats it signs nothing: its deliveries need a token. */
  readonly signatures: readonly SignatureFormat[]
  /** Settings that its deliveries need; those of the configuration win. Sizes in bytes. */
  readonly settings: Partial<Pick<Webhook, 'accept' | 'form' | 'max_body_bytes' | 'mode'>> & {
    /** The answer to a delivery: the facts of its run, its output, or nothing. */
    readonly response?: 'json' | 'text' | 'empty'
  }
  /** Repeats of one delivery have the same value here. */
  readonly dedupe: Source | undefined
  /** Answers deliveries that proved themselves, and so run nothing. */
  readonly handshake: Handshake | undefined
  /** Answers requests of any method that prove nothing, and so run nothing. It must not reveal a secret. */
  readonly openHandshake: Handshake | undefined
}

/** The sender of a webhook. */
export interface ConfiguredSender {
  readonly sender: Sender
  readonly verifyToken: Secret | undefined
}

/** The checks of a value for a variable or a file, and what to do about a missing one. */
export interface ValueChecks {
  /** `skip`: the variable is not set. */
  readonly on_missing: 'error' | 'skip' | 'empty'
  /** Must match the whole value. */
  readonly pattern: Pattern | undefined
  /** In bytes of UTF-8. */
  readonly max_length: number | undefined
}

/** The value of a variable in the command's environment. */
export type EnvironmentValue =
  | { readonly kind: 'text'; readonly value: Secret }
  | (ValueChecks & {
      readonly kind: 'source'
      readonly from: Source
      readonly source: string
      readonly default: string | undefined
      /** Whether it may start with a dash. */
      readonly allow_dash: boolean
    })

/** A value that is written to a private file. */
export interface ValueFile extends ValueChecks {
  /** The variable that holds the path of the file. */
  readonly env: string
  readonly source: string
  readonly from: Source
  readonly base64: boolean
}

/** One webhook of the configuration, with every default filled in. Durations are in ms, sizes in bytes. */
export interface Webhook {
  readonly id: string
  /** A path of its own below the base path, decoded: starts with `/` and does not end with it. */
  readonly path: string | undefined
  /** Of requests that name it by path. */
  readonly methods: readonly DeliveryMethod[]
  readonly enabled: boolean
  readonly token: TokenCheck
  readonly token_in: TokenPlace | undefined
  readonly signature: SignatureOptions | undefined
  /** Whose handshakes to answer; `undefined` if they are deliveries like others. */
  readonly sender: ConfiguredSender | undefined
  readonly auth: 'token' | 'signature' | 'both' | 'either' | 'none'
  /** With `auth: none`: whether any sender may use it, also pages of other sites. */
  readonly public: boolean
  /** The allowed addresses; `undefined` for all. */
  readonly allow_ips: readonly AddressRange[] | undefined
  readonly dedupe: { readonly from: Source; readonly ttl: number } | undefined
  readonly rules: { readonly rule: Rule; readonly mismatch_status: number } | undefined
  readonly execute_command: string
  readonly command: CommandLine
  /** Absolute, or empty for the working directory of the server. */
  readonly workdir: string
  readonly command_arguments: readonly CommandArgument[]
  readonly env: ReadonlyMap<string, EnvironmentValue>
  readonly pass_env: readonly string[]
  readonly stdin: 'none' | 'body' | 'data'
  readonly files: readonly ValueFile[]
  readonly mode: 'sync' | 'async' | 'stream'
  readonly sync_wait: number | undefined
  /** `undefined` for none. */
  readonly timeout: number | undefined
  readonly kill_grace: number
  readonly retries: Retries | undefined
  readonly schedule: Schedule | undefined
  readonly after: After | undefined
  /** Whether receivers of alerts may run it. */
  readonly on_alert: boolean
  /** 0: limited only by the server. */
  readonly concurrency: number
  readonly queue: number
  readonly on_busy: 'queue' | 'reject' | 'latest'
  readonly rate_limit: { readonly runs: number; readonly per: number } | undefined
  readonly include_output: 'never' | 'on_error' | 'always'
  /** Where the error output of the command goes: apart, or into its output. */
  readonly stderr: 'separate' | 'stdout'
  readonly output_bytes: number
  readonly output_keep: 'head' | 'tail'
  readonly on_output_limit: 'truncate' | 'kill'
  readonly success_status: number
  readonly failure_status: number
  readonly exit_status_map: ReadonlyMap<number, number>
  /** The facts of the run, its output, or a fixed text. */
  readonly response: 'json' | 'text' | ConfiguredAnswer
  /** The first one whose condition is satisfied answers, and nothing runs. */
  readonly answers: readonly DirectAnswer[]
  readonly response_headers: Readonly<Record<string, string>>
  readonly on_disconnect: 'continue' | 'cancel'
  readonly leftovers: 'leave' | 'kill'
  readonly accept: readonly BodyFormat[]
  readonly form: FormRules
  /** For requests with the id in the path; `undefined` for the general limit. */
  readonly max_body_bytes: number | undefined
  readonly executor: Executor
}

/** The kind of process that runs commands. */
export type Executor = 'auto' | 'direct' | 'launcher'

/** The limits of the whole service. Durations are in ms, sizes in bytes. */
export interface WebhookLimits {
  readonly max_body_bytes: number
  readonly body_total_bytes: number
  readonly concurrency: number
  readonly queue: number
  readonly json_depth: number
  readonly command_line_bytes: number
}

/** What to keep of finished runs. */
export interface WebhookHistory {
  readonly max_runs: number
  readonly max_age: number
  /** For each stream. */
  readonly output_bytes: number
  readonly argv: boolean
}

/** A configuration that was read and checked, with every default filled in. */
export interface LoadedWebhooksConfig {
  /** Empty, or starts with `/` and does not end with it. */
  readonly base_path: string
  /** Those of the further files too. */
  readonly webhooks: readonly Webhook[]
  /** The further files, in their order. */
  readonly parts: readonly LoadedWebhooksPart[]
  readonly hash_endpoint: boolean
  readonly hide_ids: boolean
  readonly limits: WebhookLimits
  readonly executor: Executor
  /** The token that may see and end every run. */
  readonly admin: { readonly token: TokenCheck } | undefined
  readonly history: WebhookHistory
  readonly log: {
    /** Whether to log each line that a command writes. */
    readonly run_output: boolean
  }
  readonly metrics: boolean
  /** Names of the variables that secrets were read from: no command inherits them. */
  readonly withheld: ReadonlySet<string>
  /** Probable mistakes that are not errors; each begins with a path, such as `webhooks[0].token: …`. */
  readonly warnings: readonly string[]
  /** Whether the configuration itself contains secrets, which every reader of it knows. */
  readonly holdsLiteralSecrets: boolean
  /** The position of commands and workdirs in a text, by path such as `webhooks[0].workdir`. Lines and columns start at 1. */
  readonly places: ReadonlyMap<string, ConfigPlace>
}

/** A position in the text of a configuration; in that of a further file with the path there. */
export interface ConfigPlace {
  readonly line: number
  readonly column: number
  readonly file?: string
  readonly path?: string
}

/** A further file of a configuration. */
export interface LoadedWebhooksPart {
  readonly filename: string
  /** Those in use. If a reload refused the file, those that it had before. */
  readonly webhooks: readonly Webhook[]
  /** Why the file is refused, one line each, with its name; empty if it is not. */
  readonly problems: readonly string[]
  /** As those of the configuration. */
  readonly warnings: readonly string[]
  readonly holdsLiteralSecrets: boolean
}

/** The further files that are refused. */
export const refusedParts = ({
  parts,
}: Pick<LoadedWebhooksConfig, 'parts'>): readonly LoadedWebhooksPart[] =>
  parts.filter(({ problems }) => problems.length > 0)
