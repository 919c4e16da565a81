import { describe, expect, it } from 'vitest'
import { decodeXml } from './xml.ts'

const value = async (text: string, depth = 64): Promise<unknown> =>
  (await decodeXml(text, depth)).value

describe('an XML document', () => {
  it.each([
    ['<a>x</a>', { a: 'x' }],
    ['<a/>', { a: '' }],
    ['<?xml version="1.0"?>\n<a> <b>1</b> <b>2</b> <c/> </a>\n', { a: { b: ['1', '2'], c: '' } }],
    ['<a id="1">x<b>y</b>z</a>', { a: { '-id': '1', b: 'y', '#text': 'xz' } }],
    ['<a id="1"/>', { a: { '-id': '1' } }],
    ['<a><![CDATA[<b>&amp;]]> &lt;&#65;</a>', { a: '<b>&amp; <A' }],
    [
      '<n:a xmlns:n="urn:x" n:k="v"><n:b>1</n:b></n:a>',
      { a: { '-n': 'urn:x', '-k': 'v', b: '1' } },
    ],
    ['<a><!-- c --><?pi x?>1</a>', { a: '1' }],
  ])('%j is %j', async (text, object) => {
    expect(await value(text)).toEqual(object)
  })

  it('takes names such as __proto__ like any other', async () => {
    const { text } = await decodeXml(
      '<__proto__ __proto__="1"><constructor>2</constructor></__proto__>',
      64,
    )
    expect(text).toBe('{"__proto__":{"-__proto__":"1","constructor":"2"}}')
  })

  it.each([
    ['a DOCTYPE', '<!DOCTYPE a><a/>', 'DOCTYPE'],
    ['entities', '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><a>&c;</a>', 'DOCTYPE'],
    ['a file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'DOCTYPE'],
    ['an unknown entity', '<a>&b;</a>', 'well-formed'],
    ['an open element', '<a><b></a>', 'well-formed'],
    ['two roots', '<a/><b/>', 'well-formed'],
    ['a repeated attribute', '<a b="1" b="2"/>', 'well-formed'],
    ['nothing', ' ', 'well-formed'],
    ['text', 's3cret', 'well-formed'],
    ['many levels', `${'<a>'.repeat(100_000)}`, 'nested more than 64'],
    ['many elements', `<a>${'<b/>'.repeat(100_001)}</a>`, 'more than 100000'],
    [
      'many attributes',
      `<a ${Array.from({ length: 100_001 }, (_, at) => `a${at}=""`).join(' ')}/>`,
      'more than 100000',
    ],
  ])('is refused with %s, without a word of it', async (_, text, problem) => {
    await expect(value(text)).rejects.toThrow(problem)
    await expect(value(text)).rejects.not.toThrow('s3cret')
  })

  it('is refused in words that begin with the problem, because a body has no path', async () => {
    await expect(value('<!DOCTYPE a><a/>')).rejects.toThrow(/^the XML must not have a DOCTYPE$/)
  })

  it('may be as deep as the limit says', async () => {
    expect(await value('<a><b>1</b></a>', 4)).toEqual({ a: { b: '1' } })
    await expect(value('<a><b><c/></b></a>', 4)).rejects.toThrow('nested')
  })
})
