import { constants } from 'node:os'

const numbers: Readonly<Record<string, number>> = constants.signals

/** Some numbers have two names; the first is the usual one. */
const names = new Map(
  Object.entries(numbers)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** The name for signals without a name of their own. */
const nameless = 'SIGRT'

/** The number of a signal such as `SIGTERM`; 0 if it is unknown here. */
export const signalNumber = (name: string): number => numbers[name] ?? 0

/** The name of a signal number, such as `SIGTERM`. */
export const signalName = (number: number): string => names.get(number) ?? nameless
