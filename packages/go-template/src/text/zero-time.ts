/** Midnight of the first day of year 1 in ms since the Unix epoch, which Go programs send for "no time". */
export const zeroTime: number = -62_135_596_800_000
