/**
 * A code as it was sent, however it was typed or copied: with blanks, dashes or marks of direction, or in the digits and letters of Japanese and Arabic
 * keyboards.
 */
export const plainCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[\s\p{Cf}-]/gu, '')
