import { describe, expect, it } from 'vitest'
import { plainForm } from './form.ts'
import { decodeMultipart, type MultipartForm } from './multipart.ts'

const type = 'multipart/form-data; boundary=XX'
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

/** A part with these headers, as it is sent. */
const part = (disposition: string, content: string, more = ''): string =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
const end = '--XX--\r\n'

const decode = (
  body: string | Uint8Array,
  rules = {},
  contentType = type,
): Promise<MultipartForm> =>
  decodeMultipart(typeof body === 'string' ? Buffer.from(body) : body, contentType, {
    rules: { ...plainForm, ...rules },
    maxDepth: 8,
  })

describe('a form of several parts', () => {
  it('has texts as data, and the facts of files', async () => {
    const body = [
      part('name="title"', 'Grüße'),
      part(
        'name="photo"; filename="../../etc/cat.png"',
        '\u0000\u00ff',
        'Content-Type: image/png\r\n',
      ),
      part('name="title"', 'second'),
      end,
    ].join('')
    const { data, files } = await decode(Buffer.from(body, 'utf8'))
    expect(data.value).toEqual({
      title: 'Grüße',
      photo: { filename: 'cat.png', type: 'image/png', size: '3' },
    })
    expect([...(files.get('photo') ?? [])]).toEqual([0, 0xc3, 0xbf])
  })

  it('keeps every byte of a file of many pieces', async () => {
    const content = Buffer.alloc(1_000_000, '\r\n--X')
    const head = Buffer.from(
      `--XX\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n`,
    )
    const { files } = await decode(Buffer.concat([head, content, Buffer.from(`\r\n${end}`)]))
    expect(Buffer.compare(files.get('f') ?? Buffer.alloc(0), content)).toBe(0)
  })

  it('reads JSON in a field, and nested names', async () => {
    const body = `${part('name="payload"', '{"a":1.0}', 'Content-Type: application/json\r\n')}${end}`
    expect((await decode(body, { data: 'payload' })).data.text).toBe('{"a":1.0}')
    const nested = `${part('name="a[]"; filename="x"', '1')}${part('name="a[]"', '2')}${end}`
    expect((await decode(nested, { nested: true })).data.value).toEqual({
      a: [{ filename: 'x', type: 'text/plain', size: '1' }, '2'],
    })
    const file = `${part('name="payload"; filename="x"', '{}')}${end}`
    await expect(decode(file, { data: 'payload' })).rejects.toThrow('must be a text')
  })

  it('takes names such as __proto__ like any other', async () => {
    const body = `${part('name="__proto__"', 'a')}${part('name="constructor"; filename="f"', 'b')}${end}`
    const { data, files } = await decode(body)
    expect(Object.keys(Object(data.value))).toEqual(['__proto__', 'constructor'])
    expect(text(files.get('constructor'))).toBe('b')
    expect(files.get('toString')).toBeUndefined()
  })

  it('ignores a header that is too long', async () => {
    const body = `${part('name="a"', 'x', `X-Long: ${'y'.repeat(20_000)}\r\n`)}${end}`
    await expect(decode(body)).resolves.toMatchObject({ data: { value: { a: 'x' } } })
  })

  it('may have no parts', async () => {
    expect((await decode(end)).data.value).toEqual({})
  })
})

describe('a form is refused', () => {
  const parts = (count: number, disposition: string): string =>
    `${Array.from({ length: count }, (_, index) => part(`name="n${index}"${disposition}`, 'x')).join('')}${end}`

  it.each([
    ['without a boundary', end, 'multipart/form-data', 'boundary'],
    ['that breaks off in a text', part('name="a"', 'x'), type, 'breaks off'],
    ['that breaks off in a file', part('name="a"; filename="b"', 'x'), type, 'breaks off'],
    ['that breaks off in a header', '--XX\r\nContent-Disposition: form-', type, 'breaks off'],
    ['with a part without a name', `${part('filename="b"', 'x')}${end}`, type, 'no name'],
    ['with a text without a name', `${part('x="b"', 'x')}${end}`, type, 'no name'],
    ['with a long name', `${part(`name="${'n'.repeat(1_025)}"`, 'x')}${end}`, type, 'name of more'],
    [
      'with a file of a long name',
      `${part(`name="n"; filename="${'n'.repeat(1_025)}"`, 'x')}${end}`,
      type,
      'name of more',
    ],
    ['with too many parts', parts(1_001, ''), type, 'more than 1000 parts'],
    ['with too many files', parts(101, '; filename="f"'), type, 'more than 100 files'],
  ])('%s', async (_, body, contentType, problem) => {
    await expect(decode(body, {}, contentType)).rejects.toThrow(problem)
  })

  it.each(['', 'garbage', '--YY--', '--XX'])('that is not one (%j)', async (body) => {
    await expect(decode(body)).rejects.toThrow('breaks off')
  })
})
