/**
 * The number in a parameter of a query. It has only digits: `1e2` and `0x10` are no numbers here. The operation gets any other text
 * unchanged, so that its error shows what was sent.
 */
export const queryNumber = (text: string): number =>
  (/^\d{1,9}$/.test(text) ? Number(text) : text) as number
