import { describe, expect, it } from 'vitest'
import type { CapturedRequest, GivenAnswer } from '../../../http/capture-server.fixture.ts'
import { configured } from '../configured.fixture.ts'
import { deliver, describeDelivery, renderedNotification, testPorts } from '../delivery.fixture.ts'
import { telegram } from './notifier.ts'

const accepted = { body: '{"ok":true,"result":{"message_id":1}}' }

describeDelivery({
  kind: telegram,
  settings: (url) => ({ api_url: url, bot_token: '7:t0k', chat_id: -100 }),
  secrets: ['7:t0k', '7%3At0k'],
  accepted,
  isRetried: () => true,
  recorded: { firing: ['telegram'], resolved: ['telegram'] },
})

const notify = (given: object, answer: GivenAnswer = accepted) =>
  deliver({
    kind: telegram,
    settings: (url) => ({ api_url: url, bot_token: 'bt', chat_id: 5, message: 'm', ...given }),
    portsFor: () => testPorts({ readFile: async (path) => files[path] ?? '' }),
    answer: () => answer,
  })

const files: Readonly<Record<string, string>> = {
  '/token': 'from-file\n',
  '/chat': ' -1001234567890123456 \n',
  '/name': '@channel',
}

async function sent(given: object): Promise<CapturedRequest> {
  const { requests } = await notify(given)
  return requests[0] ?? expect.unreachable()
}

async function textOf(given: object): Promise<unknown> {
  return JSON.parse((await sent(given)).body).text
}

it('sends its parameters as texts', async () => {
  const request = await sent({
    parse_mode: 'MarkdownV2',
    disable_notifications: true,
    message_thread_id: 12,
  })
  expect(request).toMatchObject({ method: 'POST', path: '/botbt/sendMessage' })
  expect(request.body).toBe(
    '{"chat_id":"5","disable_notification":"true","disable_web_page_preview":"true",' +
      '"message_thread_id":"12","parse_mode":"MarkdownV2","text":"m"}\n',
  )
})

it('sends no parse_mode if there is none', async () => {
  const { body } = await sent({ parse_mode: '' })
  expect(body).toBe('{"chat_id":"5","disable_web_page_preview":"true","text":"m"}\n')
})

it('reads token and chat from files', async () => {
  const { path, body } = await sent({
    bot_token: undefined,
    bot_token_file: '/token',
    chat_id: undefined,
    chat_id_file: '/chat',
  })
  expect(path).toBe('/botfrom-file/sendMessage')
  expect(JSON.parse(body)).toMatchObject({ chat_id: '-1001234567890123456' })
})

it('rejects a chat that is not a number', async () => {
  await expect(notify({ chat_id: undefined, chat_id_file: '/name' })).rejects.toMatchObject({
    reason: 'InvalidChatId',
  })
})

it('accepts an API whose URL ends with a slash', async () => {
  const { requests } = await deliver({
    kind: telegram,
    settings: (url) => ({ api_url: `${url}/api/`, bot_token: 'bt', chat_id: 5 }),
    answer: () => accepted,
  })
  expect(requests.map(({ path }) => path)).toEqual(['/api/botbt/sendMessage'])
})

describe('the text', () => {
  const message = '<b>{{ .CommonAnnotations.summary }}</b>'

  it('is HTML in that mode', async () => {
    expect(await textOf({ message })).toBe('<b>Disk &lt;full&gt; &amp; &#34;hot&#34;</b>')
  })

  it.each(['', 'Markdown', 'MarkdownV2'])('is plain in mode %j', async (parse_mode) => {
    expect(await textOf({ message, parse_mode })).toBe('<b>Disk <full> & "hot"</b>')
  })

  it('is replaced if it is too long, in HTML', async () => {
    const longest = '😀'.repeat(4_096)
    expect(await textOf({ message: longest })).toBe(longest)
    expect(await textOf({ message: `${longest}a` })).toBe(
      'Alertmanager notification could not be sent: message length exceeds Telegram limits.\n' +
        '\t\t\tPlease check the template used for producing the message content.',
    )
  })

  it('is truncated if it is too long, in the other modes', async () => {
    const text = await textOf({ message: '😀'.repeat(4_097), parse_mode: '' })
    expect(text).toBe(`${'😀'.repeat(4_095)}…`)
  })
})

describe('a response', () => {
  it('that the API did not accept the message is retried', async () => {
    const body = '{"ok":false,"error_code":400,"description":"Bad Request: bt is no chat"}'
    expect((await notify({}, { body })).result).toEqual({
      outcome: 'retry',
      reason: 'other',
      detail: 'Telegram did not accept the message: Bad Request: <secret> is no chat',
    })
    expect((await notify({}, { status: 400, body })).result).toEqual({
      outcome: 'retry',
      reason: 'clientError',
      detail: 'unexpected status code 400: Bad Request: <secret> is no chat',
    })
  })

  it.each(['', 'ok', '[]', '{"ok":1}'])('%j is not from the API', async (body) => {
    expect((await notify({}, { body })).result).toMatchObject({ outcome: 'retry' })
  })

  it('that is truncated is understood', async () => {
    const body = `{"ok":true,"result":{"text":"${'x'.repeat(9)}`
    expect((await notify({}, { body })).result).toEqual({ outcome: 'sent' })
  })
})

it('rejects a template that cannot be rendered', async () => {
  const settings = { bot_token: 'bt', chat_id: 5, message: '{{ .No }}' }
  const notifier = telegram.create(configured('telegram', settings), testPorts())
  const notified = notifier.notify(renderedNotification(), new AbortController().signal)
  await expect(notified).rejects.toMatchObject({ reason: 'TemplateExecution' })
})
