/** How much of a name from outside is shown. */
const maxName = 60

/** Code points of one letter with its marks, and of one emoji with its joiners. */
const maxLetter = 16

/** Characters without a shape of their own, which could turn the direction of a text or hide a part of it. */
const unseen =
  /(?!\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A text from outside as a page shows it: on one line, of at most `max` letters, and without characters that would reorder or
 * hide what stands around it. Empty if nothing of it can be seen.
 */
export function shortText(given: string, max: number = maxName): string {
  // Cut before it is read, because it may be of any length.
  const plain = given
    .slice(0, max * maxLetter)
    .replace(/\s+/g, ' ')
    .replace(unseen, '')
    .trim()
  // A letter with many marks would cover the lines above and below.
  const letters = [...new Intl.Segmenter().segment(plain)].map(({ segment }) =>
    [...segment].slice(0, maxLetter).join(''),
  )
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : letters.join('')
}

/** A text within a sentence, which keeps its direction: an Arabic name in English words leaves these as they are. */
export const isolated = (text: string): string => `\u2068${text}\u2069`
