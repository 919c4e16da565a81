import { describe, expect, it } from 'vitest'
import { readJsonBody } from './read-json-body.ts'

const read = (
  body: string | Uint8Array<ArrayBuffer> | null,
  type: string | null = 'application/json',
) =>
  readJsonBody(
    new Request('https://host/', {
      method: 'POST',
      body,
      headers: type === null ? {} : { 'content-type': type },
    }),
    1_000,
  )

describe('readJsonBody', () => {
  it.each([
    'application/json',
    'Application/JSON',
    ' application/json ; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json;',
  ])('accepts the type %j', async (type) => {
    expect(await read('{"a":"ü"}', type)).toEqual({ a: 'ü' })
  })

  it.each([
    null,
    '',
    'text/plain',
    'application/jsonx',
    'application/problem+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; q=1',
    'application/json; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json, text/plain',
  ])('refuses the type %j', async (type) => {
    await expect(read('{}', type)).rejects.toMatchObject({
      kind: 'BadRequest',
      reason: 'BadRequest',
      message: 'request content type is invalid',
    })
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    '\ufeff{}',
    '{} {}',
    "{'a':1}",
    'undefined',
    '{"a":01}',
    '\u0000',
  ])('refuses %j with the error that the protocol has for invalid JSON', async (text) => {
    await expect(read(text)).rejects.toMatchObject({
      kind: 'InternalError',
      reason: 'UnexpectedError',
      message: 'unexpected error occurred',
      info: {},
    })
  })

  it('refuses a body that is too large by its length alone', async () => {
    await expect(read(`"${'x'.repeat(1_000)}"`)).rejects.toMatchObject({
      kind: 'TooLarge',
      reason: 'JSONTooLarge',
      info: { limit: 1_000 },
    })
  })

  it('refuses only bodies nested deeper than 100 levels', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(await read(nested(100))).toHaveLength(1)
    expect(await read(`["${'['.repeat(200)}","\\"{{",${nested(99)}]`)).toHaveLength(3)
    for (const text of [nested(101), '{"a":'.repeat(150), '['.repeat(900)]) {
      await expect(read(text)).rejects.toMatchObject({
        reason: 'ValidationFailed',
        info: { causes: [{ location: '', kind: 'general' }] },
      })
    }
  })

  it('refuses a number out of range, but not a string that looks like one', async () => {
    expect(await read('{"a":"1e999","b":1e308,"c":-1.5E-400}')).toEqual({
      a: '1e999',
      b: 1e308,
      c: -0,
    })
    for (const text of ['1e999', '{"a":[-1E+400]}', `[${'9'.repeat(400)}]`]) {
      await expect(read(text)).rejects.toMatchObject({ reason: 'ValidationFailed' })
    }
  })

  it('replaces invalid UTF-8', async () => {
    expect(await read(Uint8Array.from([0x22, 0xff, 0x22]))).toBe('\ufffd')
  })
})
