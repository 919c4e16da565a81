import { constants } from 'node:os'

const numbers: Readonly<Record<string, number>> = constants.signals

/** Some numbers have two names, of which the first is the usual one. */
const names = new Map(
  Object.entries(numbers)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** What the numbers of signals without a name of their own are called. */
const nameless = 'SIGRT'

/** The number of a signal such as `SIGTERM`; 0 for one that is not known here. */
export const signalNumber = (name: string): number => numbers[name] ?? 0

/** The name of the signal with a number, as `SIGTERM`. */
export const signalName = (number: number): string => names.get(number) ?? nameless
