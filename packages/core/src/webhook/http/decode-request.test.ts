import { describe, expect, it } from 'vitest'
import { plainForm } from '../body/form.ts'
import { type JsonText, parseJsonText } from '../body/json-text.ts'
import { bodyFormat, decodeDataBody, decodeJsonBody } from '../delivery/data-body.ts'
import type { BodyFormat } from '../webhook.ts'
import { decodeDelivery, decodeHashRequest } from './decode-request.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const never = (): boolean => false

/** The refused fields of a body. */
function fieldsOf(text: string, mayLackToken: (id: string) => boolean = never): unknown {
  try {
    return decodeDelivery(parseJsonText(text, 64), mayLackToken)
  } catch (error) {
    return Object(error).info.fields
  }
}

async function bodyOf(text: string, format: BodyFormat): Promise<JsonText> {
  const given = { bytes: encode(text), format, contentType: '' }
  return (await decodeDataBody(given, { form: plainForm }, 64)).body
}

describe('the type of a body', () => {
  it.each([
    [{}, 'json'],
    [{ 'content-type': '' }, 'json'],
    [{ 'content-type': 'Application/JSON; charset=utf-8; x' }, 'json'],
    [{ 'content-type': 'application/vnd.github+json' }, 'json'],
    [{ 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }, 'form'],
  ])('%j is %s if both are accepted', (headers, format) => {
    expect(bodyFormat(new Headers(headers as Record<string, string>), ['json', 'form'])).toBe(
      format,
    )
  })

  it.each([
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/+json' },
    { 'content-type': ',' },
  ])('%j is refused if only JSON is accepted', (headers) => {
    const given = new Headers(headers as Record<string, string>)
    expect(() => bodyFormat(given, ['json'])).toThrow('the body must')
  })

  it.each([
    [{ 'content-type': 'text/plain; charset=UTF-8' }, 'text'],
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 'multipart'],
    [{ 'content-type': 'text/xml' }, 'xml'],
    [{ 'content-type': 'application/soap+xml' }, 'xml'],
    [{ 'content-type': 'application/octet-stream' }, 'any'],
    [{ 'content-type': 'application/json' }, 'any'],
    [{}, 'any'],
  ])('%j is %s if these are accepted', (headers, format) => {
    const given = new Headers(headers as Record<string, string>)
    expect(bodyFormat(given, ['any', 'text', 'multipart', 'xml'])).toBe(format)
  })

  it('JSON is refused if only a form is accepted', () => {
    expect(() => bodyFormat(new Headers(), ['form'])).toThrow('x-www-form-urlencoded')
  })
})

describe('bytes', () => {
  it('may begin with one byte-order mark', () => {
    expect(decodeJsonBody(encode('\ufeff{"a":1}'), 64).value).toEqual({ a: 1 })
    expect(() => decodeJsonBody(encode('\ufeff\ufeff{}'), 64)).toThrow()
  })

  it.each([
    [Uint8Array.of(0x22, 0xff, 0x22)],
    [Uint8Array.of(0x22, 0xc3, 0x22)],
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ])('that are not UTF-8 are not JSON (%j)', (bytes) => {
    expect(() => decodeJsonBody(bytes, 64)).toThrow('UTF-8')
  })

  it('that are only data are embedded in their format', async () => {
    const { text, value } = await bodyOf(' [1.0, {"a": null}]\n', 'json')
    expect(value).toEqual({ data: [1, { a: null }] })
    expect(JSON.parse(text)).toEqual(value)
    expect(text).toContain('1.0')
    expect((await bodyOf('a=1', 'form')).value).toEqual({ data: { a: '1' } })
    expect((await bodyOf('{"a":1}', 'text')).value).toEqual({ data: { a: 1 } })
    expect((await bodyOf('<a>1</a>', 'xml')).value).toEqual({ data: { a: '1' } })
    expect((await bodyOf('%', 'any')).value).toEqual({})
    expect((await bodyOf('', 'xml')).value).toEqual({})
  })
})

describe('the shape of a delivery', () => {
  it('is an id and a token; other members are ignored', () => {
    expect(fieldsOf('{"id":"a","token":"t","more":{}}')).toEqual({ id: 'a', token: 't' })
    expect(fieldsOf('{"id":"a","token":"t","data":null}')).toEqual({ id: 'a', token: 't' })
  })

  it('needs no token if the webhook needs none', () => {
    expect(fieldsOf('{"id":"a"}', (id) => id === 'a')).toEqual({ id: 'a', token: undefined })
    expect(fieldsOf('{"id":"b"}', (id) => id === 'a')).toEqual([
      { path: 'token', problem: 'is missing' },
    ])
  })

  it.each([
    ['[]', [{ path: '', problem: 'must be an object' }]],
    ['null', [{ path: '', problem: 'must be an object' }]],
    ['"id"', [{ path: '', problem: 'must be an object' }]],
    [
      '{}',
      [
        { path: 'id', problem: 'is missing' },
        { path: 'token', problem: 'is missing' },
      ],
    ],
    [
      '{"id":"","token":""}',
      [
        { path: 'id', problem: 'must not be empty' },
        { path: 'token', problem: 'must not be empty' },
      ],
    ],
    [
      '{"id":1,"token":[]}',
      [
        { path: 'id', problem: 'must be a string' },
        { path: 'token', problem: 'must be a string' },
      ],
    ],
    ['{"id":null,"token":"t"}', [{ path: 'id', problem: 'must be a string' }]],
    ['{"id":"a","token":"t","data":[]}', [{ path: 'data', problem: 'must be an object or null' }]],
    ['{"id":"a","token":"t","data":"x"}', [{ path: 'data', problem: 'must be an object or null' }]],
    [
      '{"__proto__":{"id":"a","token":"t"}}',
      [
        { path: 'id', problem: 'is missing' },
        { path: 'token', problem: 'is missing' },
      ],
    ],
  ])('%s is refused, and every problem is reported', (text, fields) => {
    expect(fieldsOf(text)).toEqual(fields)
  })
})

it('a hash needs a text, which may be empty', () => {
  const decode = (text: string) => decodeHashRequest(parseJsonText(text, 64))
  expect(decode('{"message":""}')).toEqual({ message: '' })
  for (const text of ['{}', '{"message":5}', '{"message":null}', '[]', '"message"']) {
    expect(() => decode(text)).toThrow(/is missing|must be/)
  }
})
