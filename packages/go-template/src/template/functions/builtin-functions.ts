import type { Functions } from '../value.ts'
import { comparisonFunctions } from './comparison-functions.ts'
import { indexFunctions } from './index-functions.ts'
import { logicFunctions } from './logic-functions.ts'
import { printFunctions } from './print-functions.ts'

/**
 * The functions that every template may call.
 *
 * @see https://pkg.go.dev/text/template#hdr-Functions
 */
export const builtinFunctions: Functions = new Map([
  ...logicFunctions,
  ...comparisonFunctions,
  ...indexFunctions,
  ...printFunctions,
])
