import { trustedProxiesNote } from '../../http/client-reader.ts'

/** What a key of another tool is called here, or where it belongs. */
export type KeyNotes = ReadonlyMap<string, string>

const notes = (rows: Readonly<Record<string, string>>): KeyNotes =>
  new Map(
    Object.entries(rows).flatMap(([keys, note]) =>
      keys.split(' ').map((key) => [key, note] as const),
    ),
  )

const signature =
  'it is written signature: { scheme: …, secret: … }, or sender: { name: …, secret: … }'

/** Keys of a webhook, as adnanh/webhook and others name them. */
export const foreignWebhookKeys: KeyNotes = notes({
  'command cmd run exec script execute-command': 'the command is execute_command',
  'secret secrets hmac hmac_secret webhook_secret scheme': signature,
  'cwd dir directory working_directory working_dir command-working-directory': 'it is workdir',
  'args arguments parameters pass-arguments-to-command': 'it is command_arguments',
  'environment envs pass-environment-to-command': 'it is env',
  'pass-file-to-command': 'it is files',
  'trigger-rule trigger_rule rule if': 'it is rules',
  'trigger-rule-mismatch-http-response-code': 'it is mismatch_status, in rules',
  'success-http-response-code': 'it is success_status',
  'include-command-output-in-response include-command-output-in-response-on-error':
    'it is include_output: always, or on_error',
  'response-headers': 'it is response_headers',
  'response-message': 'it is response: { text: … }',
  'http-methods http_methods method': 'it is methods',
  'incoming-payload-content-type parse-parameters-as-json': 'the types of bodies are in accept',
  'url route': 'it is path',
  'ip-whitelist ip_whitelist ips allowed_ips': 'it is allow_ips',
})

const inWebhooks = 'it belongs to an element of webhooks'

/** Keys of the whole file. */
export const foreignServiceKeys: KeyNotes = notes({
  hooks: 'the list is webhooks',
  'id token execute_command workdir signature execute-command command secret': inWebhooks,
  trusted_proxies: trustedProxiesNote,
  'prefix urlprefix url-prefix url_prefix': 'it is base_path',
})

/** Keys of an argument, as adnanh/webhook names them. */
export const foreignArgumentKeys: KeyNotes = notes({
  envname: 'variables are in env',
  'base64decode base64': 'only files are decoded',
  'value text': 'a fixed argument is name without source',
})

/** Keys of a sender. */
export const foreignSenderKeys: KeyNotes = notes({
  'scheme type kind provider sender': 'it is name',
  'key hmac_secret webhook_secret token signing_secret': 'it is secret',
  'challenge validation_token': 'it is verify_token',
})

/** Keys of a signature. */
export const foreignSignatureKeys: KeyNotes = notes({
  'type kind provider': 'it is scheme',
  'key hmac_secret webhook_secret token': 'it is secret',
  'signature_header header_name': 'it is header',
  'hash hash_algorithm': 'it is algorithm',
})
