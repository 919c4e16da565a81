// biome-ignore-all lint/suspicious/noTemplateCurlyInString: configurations have such texts.
import { describe, expect, it } from 'vitest'
import { problemsIn, readWebhook, settingProblems, withWebhook } from './config.fixture.ts'

const answer = (text: string, type?: string, headers?: object): object => ({
  response: {
    text,
    ...(type === undefined ? {} : { type }),
    ...(headers === undefined ? {} : { headers }),
  },
})

/** What is around the values of a text. */
function placesOf(text: string, type?: string): readonly string[] {
  const { response } = readWebhook(answer(text, type))
  if (typeof response === 'string') return []
  return response.text.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.within]))
}

describe('the places of values in an answer', () => {
  it.each([
    ['OK ${data.ref}', undefined, ['text']],
    [
      '{"a": "x ${data.a}", "b": ${query:b}, "c": "\\"${data.c}"}',
      'application/json',
      ['json-string', 'json-value', 'json-string'],
    ],
    ['<p>${data.a}</p>', 'text/html; charset=utf-8', ['markup']],
    ['<Response><Message>${data.a}</Message></Response>', 'text/xml', ['markup']],
  ] as const)('in %j of the type %s are %j', (text, type, places) => {
    expect(placesOf(text, type)).toEqual(places)
  })

  it('are only what begins with ${', () => {
    const { response } = readWebhook(answer('a $${data.a} {data.b} $data ${data.c}'))
    expect(Object(response).text).toEqual([
      'a ',
      '${',
      'data.a} {data.b} $data ',
      expect.objectContaining({ source: 'data.c', within: 'text' }),
    ])
  })

  it.each([
    ['<a href="${data.a}">x</a>', 'text/html'],
    ['<a ${data.a}>', 'text/html'],
    ['<!-- ${data.a} -->', 'text/html'],
    ['<script>var a = "${data.a}"</script>', 'text/html'],
    ['<p></p><STYLE>${data.a}</STYLE>', 'text/html'],
    ['<![CDATA[${data.a}]]>', 'application/xml'],
    ['alert(${data.a})', 'text/javascript'],
    ['${data.a}', 'text/css'],
    ['${data.a}', 'application/octet-stream'],
  ])('must not be in %j of the type %s', (text, type) => {
    expect(settingProblems(answer(text, type))).toEqual(['response.text conflict'])
  })

  it.each([
    [answer('${data.}'), 'response.text bad_path'],
    [answer('${'), 'response.text bad_path'],
    [answer('${data.a'), 'response.text bad_path'],
    [answer('${token}'), 'response.text secret_source'],
    [answer('${header:Authorization}'), 'response.text secret_source'],
    [answer('${env:NOT_THERE}'), 'response.text unresolved_reference'],
    [answer('{"a": }', 'application/json'), 'response.text out_of_range'],
    [answer('x', 'html'), 'response.type out_of_range'],
    [
      answer('x', undefined, { 'Content-Type': 'text/html' }),
      'response.headers.Content-Type conflict',
    ],
    [answer('x', undefined, { 'Content-Length': '1' }), 'response.headers.Content-Length conflict'],
    [answer('x', undefined, { 'X-A': 'a\nb' }), 'response.headers.X-A out_of_range'],
    [
      answer('x', undefined, { 'Set-Cookie': 'a=${data.a}' }),
      'response.headers.Set-Cookie conflict',
    ],
    [answer('x', undefined, { Location: '${data.a}' }), 'response.headers.Location conflict'],
    [answer('x', undefined, { Location: '/${data.a}' }), undefined],
    [
      answer('x', undefined, { Location: 'https://${data.a}/' }),
      'response.headers.Location conflict',
    ],
    [answer('x', undefined, { Location: 'https://a.example/?q=${data.a}' }), undefined],
    [answer('x', undefined, { 'X-A': 'v=${data.a}' }), undefined],
    [
      { ...answer('${data.a}'), response_headers: { 'content-type': 'text/html' } },
      'response_headers conflict',
    ],
  ])('%j has the problem %s', (settings, problem) => {
    expect(settingProblems(settings)).toEqual(problem === undefined ? [] : [problem])
  })

  it('never come from a value from outside', () => {
    const environment = { A: '${data.secret}' }
    const { response } = readWebhook(answer('${env:A}'), { environment })
    expect(Object(response).text).toEqual(['${data.secret}'])
  })
})

describe('values of the environment', () => {
  const environment = {
    APP: '/srv/app',
    REF: 'refs/heads/main',
    NET: '10.0.0.0/8',
    NAME: '--image',
  }

  it('may be in every text of a webhook', () => {
    const webhook = readWebhook(
      {
        path: '/hooks/${env:UNIT}',
        execute_command: '${env:APP}/deploy.sh',
        workdir: '${env:APP}',
        rules: { source: 'data.ref', equals: '${env:REF}' },
        allow_ips: ['${env:NET}'],
        command_arguments: [{ name: '${env:NAME}', source: 'data.image', default: '${env:UNIT}' }],
        env: { BRANCH: { source: 'data.ref', default: '${env:REF}' } },
        response_headers: { 'X-App': '${env:APP}' },
      },
      { environment: { ...environment, UNIT: 'web' } },
    )
    expect(webhook).toMatchObject({
      path: '/hooks/web',
      command: { words: ['/srv/app/deploy.sh'] },
      workdir: '/srv/app',
      rules: { rule: { test: { value: 'refs/heads/main' } } },
      command_arguments: [{ name: '--image', default: 'web' }],
      response_headers: { 'X-App': '/srv/app' },
    })
  })

  it('are inherited by commands all the same, unlike secrets', () => {
    const config = withWebhook({ workdir: '${env:APP}', token: '${env:REF}' })
    expect(problemsIn(config, { environment })).toEqual([])
  })

  it('leave the syntax of shells alone', () => {
    const webhook = readWebhook({ execute_command: 'echo ${HOME:-x} $$ $${x}' })
    expect(webhook.command).toMatchObject({ text: 'echo ${HOME:-x} $$ $${x}' })
  })

  it('that are missing are problems', () => {
    expect(settingProblems({ workdir: '${env:NOT_THERE}' })).toEqual([
      'workdir unresolved_reference',
    ])
  })
})
