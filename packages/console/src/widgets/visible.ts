/** Characters without a shape of their own: controls, marks of direction, and other format characters such as the zero-width ones. */
const shapeless = /(?!\n|\t|\u200c|\u200d|\u00ad)[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A text in which characters are visible that would hide, or change the order of the text around them: as `U+202E` in brackets. */
export function visible(text: string): string {
  return text.replace(shapeless, (one) => `[U+${hex(one)}]`)
}

const hex = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
