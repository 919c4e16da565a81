import { kindOf } from '../read-value.ts'
import type { Run, Value } from '../value.ts'
import { Printer } from './printer.ts'

/** Prints a single value. */
export function sprintOne(run: Run, value: Value): string {
  return typeof value === 'string' ? value : sprint(run, [value])
}

/**
 * Prints values one after another, with a blank between two values if neither is a text.
 *
 * @see https://pkg.go.dev/fmt#Sprint
 */
export function sprint(run: Run, values: readonly Value[]): string {
  const printer = new Printer(run)
  let wasText = true
  for (const [i, value] of values.entries()) {
    const isText = kindOf(value) === 'string'
    if (i > 0 && !isText && !wasText) printer.write(' ')
    printer.print(value, 'v', {})
    wasText = isText
  }
  return printer.text
}

/**
 * Prints values with blanks between them and a newline at the end.
 *
 * @see https://pkg.go.dev/fmt#Sprintln
 */
export function sprintln(run: Run, values: readonly Value[]): string {
  const printer = new Printer(run)
  for (const [i, value] of values.entries()) {
    if (i > 0) printer.write(' ')
    printer.print(value, 'v', {})
  }
  printer.write('\n')
  return printer.text
}
