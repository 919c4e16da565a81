import { parseArgs } from 'node:util'

/**
 * Parses the arguments of a benchmark: its own options and the common ones. With `--help` it prints the usage and returns
 * `undefined`.
 *
 * @template {import('node:util').ParseArgsOptionsConfig} Own
 * @param {string[]} args
 * @param {{ usage: string, options?: Own }} about
 */
export function readOptions(args, { usage, options }) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      ...options,
    },
  })
  if (!values.help) return values
  console.log(usage)
  return undefined
}

/**
 * @param {string} option
 * @param {string} text
 */
export function wholeNumber(option, text, least = 1) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new Error(`--${option} takes a whole number from ${least} on, not "${text}"`)
}

/**
 * @param {string} option
 * @param {string} text
 */
export function positiveNumber(option, text) {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${option} takes a number above 0, not "${text}"`)
}
