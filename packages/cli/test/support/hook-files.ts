import type { Hook, Sent } from './both-programs.ts'
import {
  equals,
  from,
  hmac,
  type Keys,
  match,
  scalr,
  secret,
  sending,
  signedBy,
} from './hook-cases.ts'

/**
 * A hook of a kind that stands in public hooks files: the same properties, rules and sources, with other names and texts.
 */
export interface PublicHook {
  readonly hook: Hook
  /** A delivery of its sender. */
  readonly sent: Sent
  /** One that is refused, if the hook refuses any. */
  readonly refused?: Sent
  /** Why the sender has to change something, or sees something else. */
  readonly why?: string
}

const args = (...parameters: Keys[]) => ({ 'pass-arguments-to-command': parameters })
const env = (...parameters: Keys[]) => ({ 'pass-environment-to-command': parameters })
const rule = (condition: Keys) => ({ 'trigger-rule': condition })
const shown = { 'include-command-output-in-response': true }
const shownAlways = { ...shown, 'include-command-output-in-response-on-error': true }
const said = (text: string) => ({ 'response-message': text })
const of = (name: string, envname?: string) =>
  from('payload', name, envname === undefined ? {} : { envname })
const fixed = (name: string, envname?: string) =>
  from('string', name, envname === undefined ? {} : { envname })

const hook = (id: string, more: Keys): Hook => ({
  id,
  'execute-command': `PROBE/run-${id}`,
  'command-working-directory': 'PROBE',
  ...more,
})

const push = {
  ref: 'refs/heads/main',
  after: '0a1b',
  head_commit: { id: '0a1b', message: 'Fix "it"; $(date)\n\n--all' },
  pusher: { name: 'ann', email: 'ann@example.com' },
  repository: { name: 'app' },
}
const branch = { ...push, ref: 'refs/heads/next' }
const onMain = equals('payload', 'ref', 'refs/heads/main')
const hub = 'X-Hub-Signature-256'
const byHub = hmac('payload-hmac-sha256', hub)
const byOldHub = hmac('payload-hmac-sha1', 'X-Hub-Signature')
const wrong = sending(push, { headers: { [hub]: 'sha256=00' } })
const pushed = args(of('head_commit.id'), of('pusher.name'), of('pusher.email'))
const withToken = (header: string, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { ...sent.headers, [header]: secret },
})

/** One hook for each sender, as a collection of examples has them. */
const examples: readonly PublicHook[] = [
  {
    hook: hook('code-host', { ...pushed, ...rule({ and: [byOldHub, onMain] }) }),
    sent: signedBy(push, 'x-hub-signature', 'sha1'),
    refused: sending(push),
  },
  {
    hook: hook('known-network', {
      ...args(of('actor.name')),
      ...rule(match('ip-whitelist', { 'ip-range': '127.0.0.0/24' })),
    }),
    sent: sending({ actor: { name: 'ann' } }),
  },
  {
    hook: hook('token-of-host', {
      ...args(of('user_name')),
      ...said('Started'),
      ...rule(equals('header', 'X-Gitlab-Token', secret)),
    }),
    sent: withToken('x-gitlab-token', sending({ user_name: 'Ann B' })),
    refused: sending({ user_name: 'Ann B' }),
  },
  {
    hook: hook('small-host', {
      ...pushed,
      ...rule({ and: [hmac('payload-hash-sha256', 'X-Gogs-Signature'), onMain] }),
    }),
    sent: signedBy(push, 'x-gogs-signature', 'sha256', ''),
    refused: signedBy(branch, 'x-gogs-signature', 'sha256', ''),
  },
  {
    hook: hook('secret-in-body', {
      ...pushed,
      ...rule({ and: [equals('payload', 'secret', secret), onMain] }),
    }),
    sent: sending({ ...push, secret }),
    refused: sending(push),
  },
  {
    hook: hook('chat-command', { ...said('On it'), ...rule(equals('payload', 'token', secret)) }),
    sent: {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${secret}&text=deploy`,
    },
    refused: { body: 'token=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  },
  {
    hook: hook('token-in-url', { ...said('Simple'), ...rule(equals('url', 'token', secret)) }),
    sent: { after: `?token=${secret}` },
    refused: { after: '?token=42' },
  },
  {
    hook: hook('encoded-file', {
      'pass-file-to-command': [of('binary', 'INPUT')].map((one) => ({
        ...one,
        base64decode: true,
      })),
      ...shown,
    }),
    sent: sending({ binary: 'w6TDtg==' }),
  },
  {
    hook: hook('signed-with-date', {
      ...shown,
      ...env(of('event', 'EVENT'), of('data.HOST', 'HOST_NAME')),
      ...rule(match('scalr-signature', { secret })),
    }),
    sent: sending({ event: 'up' }, { headers: scalr('{"event":"up"}', new Date()) }),
    refused: sending({ event: 'down' }, { headers: scalr('{"event":"up"}', new Date()) }),
  },
  {
    hook: hook('build-server', {
      'parse-parameters-as-json': [of('payload')],
      ...rule({
        and: [
          equals('payload', 'payload.state', 'passed'),
          equals('payload', 'payload.branch', 'main'),
        ],
      }),
    }),
    sent: {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `payload=${encodeURIComponent('{"state":"passed","branch":"main"}')}`,
    },
  },
  {
    hook: hook('list-of-events', rule(equals('payload', 'root.1.event', 'deferred'))),
    sent: sending([{ event: 'sent' }, { event: 'deferred' }]),
    refused: sending([{ event: 'deferred' }]),
  },
  {
    hook: hook(
      'xml-document',
      rule({
        and: [
          equals('payload', 'app.users.user.0.-name', 'Ann'),
          equals('payload', 'app.note.#text', 'Hi!'),
        ],
      }),
    ),
    sent: {
      headers: { 'content-type': 'application/xml' },
      body: '<app><users><user name="Ann"/><user name="Bob"/></users><note to="2">Hi!</note></app>',
    },
  },
  {
    hook: hook('media-server', {
      'parse-parameters-as-json': [of('payload')],
      ...rule(equals('payload', 'payload.event', 'play')),
    }),
    sent: {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: [
        '--x\r\ncontent-disposition: form-data; name="payload"\r\ncontent-type: application/json\r\n\r\n{"event":"play"}\r\n',
        '--x\r\ncontent-disposition: form-data; name="thumb"; filename="a.jpg"\r\n\r\nimage\r\n--x--\r\n',
      ].join(''),
    },
  },
  {
    hook: hook('fixed-words', args(fixed('-e'), fixed('12'), of('pusher.email'))),
    sent: sending(push),
  },
  {
    hook: hook('disk-station', {
      ...said('Accepted'),
      ...args(of('message')),
      ...rule(equals('header', 'api_key', secret)),
    }),
    sent: withToken('api_key', sending({ message: 'Disk 1 failed' })),
    refused: sending({ message: 'x' }),
  },
  {
    hook: hook('image-registry', {
      ...env(of('action', 'ACTION'), of('target.repository', 'REPO'), of('target.tag', 'TAG')),
      ...rule({
        and: [equals('header', 'X-Static-Token', secret), equals('payload', 'action', 'push')],
      }),
    }),
    sent: withToken(
      'x-static-token',
      sending({ action: 'push', target: { repository: 'a/b', tag: '1' } }),
    ),
    refused: sending({ action: 'push' }),
  },
]

/** Reports of a storage, with a token in a header. */
const reports: readonly PublicHook[] = ['usage', 'links', 'import'].map((id, index) => ({
  hook: hook(id, {
    ...shownAlways,
    ...rule(equals('header', 'X-Webhook-Token', secret)),
    ...(index === 0 ? { 'response-headers': [{ name: 'X-Own', value: 'json' }] } : {}),
    ...(index < 2
      ? { 'http-methods': ['GET'], ...args(from('url', 'org'), from('url', 'team')) }
      : {
          'http-methods': ['POST'],
          ...args(from('url', 'verbose')),
          ...env(
            of('s3.key', 'S3_KEY'),
            fixed('https://example.com', 'SERVER'),
            of('force', 'FORCE'),
          ),
        }),
  }),
  sent:
    index < 2
      ? withToken('x-webhook-token', { method: 'GET', after: '?org=a&team=b%20c' })
      : withToken(
          'x-webhook-token',
          sending({ s3: { key: 'k' }, force: true }, { after: '?verbose=1' }),
        ),
  refused: index < 2 ? { method: 'GET', after: '?org=a' } : sending({}),
}))

/** A page that controls a game server. Its methods are misspelled, so every method is accepted. */
const controls: readonly PublicHook[] = [
  {
    hook: hook('game-status', { ...shown, 'http-method': 'GET' }),
    sent: { method: 'GET' },
    why: 'its sender uses GET and it names no methods: import it with --http-methods GET,POST',
  },
  { hook: hook('game-start', { 'http-method': 'POST' }), sent: {} },
  { hook: hook('game-stop', { 'http-method': 'POST' }), sent: {} },
  {
    hook: hook('game-upload', {
      ...shown,
      'http-method': 'POST',
      'pass-file-to-command': [from('raw-request-body', 'file', { envname: 'INPUT' })],
      ...env(from('header', 'X-Filename', { envname: 'FILE_NAME' })),
    }),
    sent: {
      headers: { 'content-type': 'application/octet-stream', 'x-filename': 'a b.miz' },
      body: 'PK\u0003\u0004 data',
    },
  },
]

/** Addresses that are blocked, reported by other machines. */
const blocks: readonly PublicHook[] = [
  ...['report', 'release'].map((id) => ({
    hook: hook(id, {
      ...shownAlways,
      'http-methods': ['POST'],
      'trigger-rule-mismatch-http-response-code': 400,
      ...args(of('ip')),
    }),
    sent: sending({ ip: '192.0.2.1' }),
  })),
  {
    hook: hook('search', { ...shownAlways, 'http-methods': ['GET'], ...args(from('url', 'ac')) }),
    sent: { method: 'GET', after: '?ac=192.0.2.1' },
  },
]

/** Attempts of someone who learns it. */
const attempts: readonly PublicHook[] = [
  { hook: hook('try', said('Received!')), sent: {} },
  {
    hook: hook('try-push', { ...said('Received!'), ...rule({ and: [byOldHub, onMain] }) }),
    sent: signedBy(push, 'x-hub-signature', 'sha1'),
    refused: signedBy(branch, 'x-hub-signature', 'sha1'),
  },
  { hook: hook('try-query', said('Received!')), sent: { after: '?a=b' } },
  {
    hook: hook('try-file', {
      ...shown,
      'pass-file-to-command': [from('payload', 'file', { envname: 'INPUT', base64decode: false })],
    }),
    sent: sending({ file: 'text' }),
  },
]

/** A screen, switched by a home automation that can do nothing but open a URL. */
const screens: readonly PublicHook[] = ['off', 'on'].map((state) => ({
  hook: hook(`screen-${state}`, {
    ...env(fixed('/home/ann/.auth', 'XAUTHORITY'), fixed(':0', 'DISPLAY')),
    ...args(fixed('-display'), fixed(':0'), fixed('dpms'), fixed('force'), fixed(state)),
  }),
  sent: { method: 'GET' },
  why: 'its sender uses GET and it names no methods: import it with --http-methods GET,POST',
}))

/** Deployments from continuous integration, with many files. */
const deployments: readonly PublicHook[] = [
  {
    hook: hook('deploy-image', {
      ...said('Started'),
      ...env(of('command', 'COMMAND')),
      ...rule(hmac('payload-hmac-sha256', 'X-Signature-256')),
      'http-methods': ['POST'],
      'include-command-output-in-response': false,
      'success-http-response-code': 202,
      'trigger-rule-mismatch-http-response-code': 403,
    }),
    sent: signedBy({ command: 'deploy web app:1' }, 'x-signature-256'),
    refused: sending({ command: 'deploy' }),
  },
  {
    hook: hook('deploy-status', {
      ...shownAlways,
      'http-methods': ['POST'],
      ...rule(hmac('payload-hmac-sha256', 'X-Signature-256')),
    }),
    sent: signedBy({}, 'x-signature-256'),
    refused: wrong,
  },
  {
    hook: hook('deploy-files', {
      ...shownAlways,
      'http-methods': ['POST'],
      'pass-file-to-command': ['INPUT', 'OTHER', 'HOOK_FILE'].map((envname) =>
        from('payload', envname.toLowerCase(), { envname, base64decode: true }),
      ),
      ...rule(hmac('payload-hmac-sha256', 'X-Signature-256')),
    }),
    sent: signedBy({ input: 'YQ==', other: 'Yg==' }, 'x-signature-256'),
    refused: wrong,
  },
]

/** Programs that read the whole request themselves. */
const dispatchers: readonly PublicHook[] = [
  {
    hook: hook('dispatch', {
      ...said('Received'),
      ...args(from('entire-payload')),
      ...env(
        from('header', 'X-GitHub-Event', { envname: 'EVENT' }),
        from('header', hub, { envname: 'SIGNATURE' }),
      ),
      ...rule(equals('header', 'Content-Type', 'application/json')),
    }),
    sent: signedBy({ a: 1, b: [true] }, hub.toLowerCase()),
    refused: {},
  },
]
const restarts: readonly PublicHook[] = [
  {
    hook: hook('restart-workload', {
      ...shownAlways,
      'response-headers': [{ name: 'X-Own', value: '*' }],
      'trigger-rule-mismatch-http-response-code': 500,
      ...args(from('entire-payload')),
      ...env(...['ns', 'workload'].map((name) => from('url', name, { envname: `APP_${name}` }))),
      ...rule({
        and: [equals('url', 'token', secret), equals('url', 'ns', 'default')],
      }),
    }),
    sent: sending({ a: 1 }, { after: `?token=${secret}&ns=default&workload=web` }),
    refused: sending({}, { after: '?ns=default' }),
  },
]
const redirects: readonly PublicHook[] = ['redirect', 'mirror'].map((id, index) => ({
  hook: hook(id, {
    ...args(fixed('https://example.com'), from('entire-headers'), of('ref')),
    ...(index === 0 ? {} : rule({ and: [byOldHub] })),
  }),
  sent: index === 0 ? sending(push) : signedBy(push, 'x-hub-signature', 'sha1'),
}))

/** Secrets from the environment: in these, GETENV is a call of a template. */
const templates: readonly PublicHook[] = [
  {
    hook: hook('from-environment', {
      ...args(of('repository.name')),
      ...rule({
        and: [
          match('payload-hash-sha1', {
            secret: 'GETENV | js',
            parameter: from('header', 'X-Hub-Signature'),
          }),
          onMain,
        ],
      }),
    }),
    sent: signedBy(push, 'x-hub-signature', 'sha1'),
    refused: sending(push),
  },
  {
    hook: hook('site', {
      'trigger-rule-mismatch-http-response-code': 403,
      ...rule(match('payload-hmac-sha256', { secret: 'GETENV', parameter: from('header', hub) })),
    }),
    sent: signedBy(push, hub.toLowerCase()),
    refused: sending(push),
  },
  {
    hook: hook('pipelines', {
      ...args(from('entire-payload')),
      ...rule({
        and: [
          match('value', { value: 'GETENV', parameter: from('header', 'X-Gitlab-Token') }),
          { not: equals('header', 'X-Gitlab-Event', '') },
        ],
      }),
    }),
    sent: withToken(
      'x-gitlab-token',
      sending({ object_kind: 'pipeline' }, { headers: { 'x-gitlab-event': 'Pipeline Hook' } }),
    ),
    refused: sending({}),
  },
]

/** Files with one hook each, which deploys something. */
const single: readonly PublicHook[] = [
  {
    hook: hook('game', { ...said('Delivered'), ...rule({ and: [byHub, onMain] }) }),
    sent: signedBy(push, hub.toLowerCase()),
    refused: signedBy(branch, hub.toLowerCase()),
  },
  {
    hook: hook('pages', {
      ...args(of('head_commit.id'), of('head_commit.message')),
      ...env(of('pusher.name', 'PUSHER'), of('head_commit.message', 'MESSAGE')),
      ...rule({ and: [byHub, onMain] }),
    }),
    sent: signedBy(push, hub.toLowerCase()),
    refused: wrong,
  },
  {
    hook: hook('tagged', {
      'trigger-rule-mismatch-http-response-code': 400,
      ...args(of('ref')),
      ...env(fixed('ref', 'TAG_NAME')),
      ...rule({
        and: [byHub, match('regex', { regex: '^refs/tags/v\\d+\\.\\d+$', parameter: of('ref') })],
      }),
    }),
    sent: signedBy({ ref: 'refs/tags/v1.2' }, hub.toLowerCase()),
    refused: signedBy(push, hub.toLowerCase()),
  },
  {
    hook: hook('shop', {
      ...env(fixed('main', 'BRANCH'), fixed('3000', 'APP_PORT')),
      ...rule({ and: [byHub, onMain] }),
    }),
    sent: signedBy(push, hub.toLowerCase()),
    refused: wrong,
  },
  {
    hook: hook('blog', {
      ...args(fixed('build')),
      ...env(fixed('$mail', 'PARAMS_contactEmail')),
      ...rule({ and: [onMain] }),
    }),
    sent: sending(push),
    refused: sending(branch),
  },
  { hook: hook('after-image', {}), sent: sending({ push_data: { tag: 'latest' } }) },
  {
    hook: hook('version', { ...said('Deploying'), ...args(from('url', 'version')) }),
    sent: { after: '?version=1.2' },
  },
]

/** Twelve files with forty-nine hooks. */
export const hookFiles: Readonly<Record<string, readonly PublicHook[]>> = {
  examples,
  reports,
  controls,
  blocks,
  attempts,
  screens,
  deployments,
  dispatchers,
  restarts,
  redirects,
  templates,
  single,
}
