/**
 * A text without the difference between capital and small letters, by Unicode's full case folding: `Straße` and `STRASSE`
 * become the same, as do the sigmas. Lower case alone would keep them apart. Cherokee letters come out small, where
 * Unicode's table has them large; which texts are equal is not changed by that.
 *
 * @see The Unicode Standard, section 3.13, default caseless matching
 */
export function foldCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  // The capital of ı is I, and yet it is no i.
  return text.replace(/[^ı]/gu, foldLetter)
}

/** A text as it is compared: compatible forms of characters are one (NFKC), and if `isFolded` also their cases. */
export function normalizeText(text: string, isFolded: boolean): string {
  const composed = text.normalize('NFKC')
  return isFolded ? foldCase(composed).normalize('NFKC') : composed
}

/** One letter at a time: the lower case of a whole text ends words in ς. */
function foldLetter(letter: string): string {
  const large = letter.toLowerCase().toUpperCase()
  return Array.from(large, (part) => part.toLowerCase()).join('')
}
