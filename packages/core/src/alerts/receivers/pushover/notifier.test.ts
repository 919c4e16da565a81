import { describe, expect, it } from 'vitest'
import type { CapturedRequest } from '../../../http/capture-server.fixture.ts'
import { deliver, describeDelivery, portsInsteadOf } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import { pushover } from './notifier.ts'

const keys = { token: 't0ken&', user_key: 'us3r' }
const portsFor = (url: string) => portsInsteadOf('https://api.pushover.net', url)

describeDelivery({
  kind: pushover,
  settings: () => keys,
  portsFor,
  secrets: ['t0ken&', 't0ken%26', 'us3r'],
})

async function sent(given: object, notification: SampleOptions = {}): Promise<CapturedRequest> {
  const settings = () => ({ ...keys, title: 't', message: 'm', url: '', ...given })
  const { requests } = await deliver({
    kind: pushover,
    settings,
    portsFor,
    notification,
  })
  expect(requests).toHaveLength(1)
  return requests[0] ?? expect.unreachable()
}

async function sentParameters(
  given: object,
  notification: SampleOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const { path } = await sent(given, notification)
  return Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?'))))
}

it.each([
  { phase: 'firing', resolved: false, priority: 2 },
  { phase: 'resolved', resolved: true, priority: 0 },
])('sends everything in the query, $phase', async ({ resolved, priority }) => {
  const request = await sent({ title: "it's {{ .Status }}*~" }, { resolved })
  const status = resolved ? 'resolved' : 'firing'
  expect(request).toMatchObject({
    method: 'POST',
    path:
      '/1/messages.json?device=&expire=3600&message=m' +
      `&priority=${priority}&retry=60&sound=&title=it%27s+${status}%2A~` +
      '&token=t0ken%26&url=&url_title=&user=us3r',
    body: '',
  })
  expect(request.headers['content-type']).toBe('text/plain')
})

it('renders the keys and other settings', async () => {
  const parameters = await sentParameters({
    token: 'app-{{ .Status }}',
    user_key: 'user-{{ .Status }}',
    url: 'http://u/{{ .Status }}',
    url_title: 'see {{ .Status }}',
    device: 'd-{{ .Status }}',
    sound: 's-{{ .Status }}',
    priority: '{{ len .Alerts }}',
    retry: '90s',
    expire: '1h30m0.9s',
    ttl: '2m',
  })
  expect(parameters).toEqual({
    token: 'app-firing',
    user: 'user-firing',
    title: 't',
    message: 'm',
    url: 'http://u/firing',
    url_title: 'see firing',
    device: 'd-firing',
    sound: 's-firing',
    priority: '2',
    retry: '90',
    expire: '5400',
    ttl: '120',
  })
})

it('has no ttl below a second', async () => {
  expect(await sentParameters({ ttl: '900ms' })).not.toHaveProperty('ttl')
})

it('reads the keys from files, trimmed', async () => {
  const { requests } = await deliver({
    kind: pushover,
    settings: () => ({ token_file: '/t', user_key_file: '/u' }),
    portsFor: (url) => ({ ...portsFor(url), readFile: async (path) => `in${path}\n` }),
  })
  expect(requests[0]?.path).toMatch(/&token=in%2Ft&.*&user=in%2Fu$/)
})

it('names the setting of a key that cannot be rendered, without its value', async () => {
  const notified = sent({ token: '{{ hunter2 }}' })
  await expect(notified).rejects.toMatchObject({
    reason: 'TemplateSyntax',
    message: 'the template token cannot be rendered',
  })
})

describe('the message', () => {
  const message = '<b>{{ .CommonAnnotations.summary }}</b>'

  it('is plain text', async () => {
    const parameters = await sentParameters({ message })
    expect(parameters).toMatchObject({ message: '<b>Disk <full> & "hot"</b>' })
    expect(parameters).not.toHaveProperty('html')
    expect(parameters).not.toHaveProperty('monospace')
  })

  it('is HTML if configured', async () => {
    expect(await sentParameters({ message, html: true })).toMatchObject({
      html: '1',
      message: '<b>Disk &lt;full&gt; &amp; &#34;hot&#34;</b>',
    })
  })

  it('may be monospaced', async () => {
    expect(await sentParameters({ monospace: true })).toMatchObject({ monospace: '1' })
  })

  it.each(['', ' \n', '{{ "\\t" }}'])('is never empty, such as from %j', async (given) => {
    expect(await sentParameters({ message: given })).toMatchObject({ message: '(no details)' })
  })

  it('is trimmed after it is truncated', async () => {
    expect(await sentParameters({ message: ` a${' '.repeat(1_022)}` })).toMatchObject({
      message: 'a',
    })
    expect(await sentParameters({ message: ` ${'é'.repeat(1_024)}` })).toMatchObject({
      message: `${'é'.repeat(1_022)}…`,
    })
  })

  it('has a truncated title and URL', async () => {
    const long = 'ü'.repeat(600)
    expect(await sentParameters({ title: long, url: long })).toMatchObject({
      title: `${'ü'.repeat(249)}…`,
      url: `${'ü'.repeat(511)}…`,
    })
  })
})
