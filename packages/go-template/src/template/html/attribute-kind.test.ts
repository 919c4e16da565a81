import { describe, expect, it } from 'vitest'
import { attributeKind, attrOf } from './attribute-kind.ts'

describe('the value of an attribute', () => {
  it.each([
    ['href', 'url'],
    ['xlink:href', 'url'],
    ['data-href', 'url'],
    ['xmlns', 'url'],
    ['xmlns:svg', 'url'],
    ['src', 'url'],
    ['tweeturl', 'url'],
    ['data-image-uri', 'url'],
    ['imagesrcset', 'url'],
    ['srcset', 'srcset'],
    ['srclang', 'plain'],
    ['srcdoc', 'html'],
    ['style', 'css'],
    ['svg:style', 'css'],
    ['onclick', 'js'],
    ['data-onwhatever', 'js'],
    ['on', 'js'],
    ['type', 'unsafe'],
    ['http-equiv', 'unsafe'],
    ['title', 'plain'],
    ['aria-label', 'plain'],
    ['a:b:href', 'plain'],
  ])('%s is %s', (name, kind) => {
    expect(attributeKind(name)).toBe(kind)
  })

  it('differs in some elements', () => {
    expect(attrOf('type', 'elementScript')).toBe('attrScriptType')
    expect(attrOf('type', 'elementNone')).toBe('attrNone')
    expect(attrOf('content', 'elementMeta')).toBe('attrMetaContent')
    expect(attrOf('content', 'elementNone')).toBe('attrNone')
  })
})
