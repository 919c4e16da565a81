import { kindOf } from '../read-value.ts'
import type { Run, Value } from '../value.ts'
import { Printer } from './printer.ts'

/** One value as it is printed by itself. */
export function sprintOne(run: Run, value: Value): string {
  return typeof value === 'string' ? value : sprint(run, [value])
}

/**
 * Values one after another, with a blank between two of which neither is a text.
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
 * Values with blanks between them and a line end behind.
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
