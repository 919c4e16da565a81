import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldCase, normalizeText } from './case-folding.ts'

/** Every character with another case or compatible form. */
const everyLetter = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((text) =>
    [text.toLowerCase(), text.toUpperCase(), text.normalize('NFKC')].some((form) => form !== text),
  )

describe('case folding', () => {
  it.each([
    ['ABCxyz', 'abcxyz'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['Σίσυφος', 'σίσυφοσ'],
    ['ſ', 's'],
    ['ﬁ', 'fi'],
    ['İ', 'i\u0307'],
    ['I', 'i'],
    ['ı', 'ı'],
    ['ᾼ', 'αι'],
    ['ΐ', 'ι\u0308\u0301'],
    ['\u0345', 'ι'],
    ['ŉ', 'ʼn'],
    ['𐐀', '𐐨'],
    ['Ꭰ', 'ꭰ'],
    ['ꭰ', 'ꭰ'],
    ['日本', '日本'],
  ])('of %s is %s', (text, folded) => {
    expect(foldCase(text)).toBe(folded)
  })

  it('gives letters the same result in lower and upper case', () => {
    const differing = everyLetter.filter((letter) => {
      const folded = foldCase(letter)
      const isSame = [letter.toLowerCase(), letter.toUpperCase()].every(
        (form) => foldCase(form) === folded,
      )
      return !isSame
    })
    expect(differing).toEqual(['ı'])
  })
})

describe('normalizing', () => {
  it('twice gives the same result as once', () => {
    const changing = everyLetter.filter((letter) => {
      const once = normalizeText(letter, true)
      return normalizeText(once, true) !== once
    })
    expect(changing).toEqual([])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isFolded) => {
        const once = normalizeText(text, isFolded)
        expect(normalizeText(once, isFolded)).toBe(once)
      }),
    )
  })

  it('unifies compatible forms, and cases only if requested', () => {
    expect(normalizeText('Ｍaya e\u0301', false)).toBe('Maya é')
    expect(normalizeText('Ｍaya E\u0301', true)).toBe('maya é')
  })
})
