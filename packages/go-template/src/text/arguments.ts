/** @throws {TypeError} if an argument is not a text. */
export function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string')
    throw new TypeError(`${name}: expected a string, got ${typeof value}`)
}

/** @throws {TypeError} if an argument is not a number. @throws {RangeError} if it is not finite. */
export function checkNumber(name: string, value: unknown): void {
  if (typeof value !== 'number')
    throw new TypeError(`${name}: expected a number, got ${typeof value}`)
  if (!Number.isFinite(value))
    throw new RangeError(`${name}: expected a finite number, got ${value}`)
}
