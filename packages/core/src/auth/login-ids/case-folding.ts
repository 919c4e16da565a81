/**
 * Folds case by Unicode's full case folding: `Straße` and `STRASSE` become the same, and so do the sigmas. Lower case alone would
 * keep them apart. Cherokee letters become lower case, while Unicode's table has upper case; this does not affect which texts are
 * equal.
 *
 * @see The Unicode Standard, section 3.13, default caseless matching
 */
export function foldCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  // The upper case of ı is I, but ı does not equal i.
  return text.replace(/[^ı]/gu, foldLetter)
}

/** The form of a text for comparison: compatible characters are unified (NFKC), and cases too if `isFolded`. */
export function normalizeText(text: string, isFolded: boolean): string {
  const composed = text.normalize('NFKC')
  return isFolded ? foldCase(composed).normalize('NFKC') : composed
}

/** One letter at a time, because the lower case of a whole text has a final ς. */
function foldLetter(letter: string): string {
  const large = letter.toLowerCase().toUpperCase()
  return Array.from(large, (part) => part.toLowerCase()).join('')
}
