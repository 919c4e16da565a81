/** A number with its noun: `1 alert`, `2 alerts`. The nouns of the messages take an `s`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
