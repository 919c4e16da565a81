/**
 * The number that a parameter of a query gives. Only digits are one, unlike for `Number()`: neither `1e2` nor `0x10`. Any other text is
 * passed on as it is, although it is no number: the operation refuses it, and shows it.
 */
export const queryNumber = (text: string): number =>
  (/^\d{1,9}$/.test(text) ? Number(text) : text) as number
