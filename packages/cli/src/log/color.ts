import { styleText } from 'node:util'

/** The meaning of a text, which a terminal shows by its color. */
export type Tone = 'bad' | 'good' | 'warning' | 'strong'

/** The part of a stream that says whether it shows colors. */
export interface ColorStream {
  readonly isTTY?: boolean
  getColorDepth?(env?: object): number
}

const formats = { bad: 'red', good: 'green', warning: 'yellow', strong: 'bold' } as const

/**
 * Whether to write colors to a stream: `FORCE_COLOR` and `NO_COLOR` decide, else whether it is a terminal with colors.
 *
 * @see https://no-color.org, https://force-color.org
 */
export function showsColors(
  stream: ColorStream,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { FORCE_COLOR: force = '', NO_COLOR: no = '' } = env
  if (force !== '') return force !== '0' && force !== 'false'
  if (no !== '') return false
  return stream.isTTY === true && (stream.getColorDepth?.(env) ?? 1) > 1
}

/** Colors a text. */
export type Paint = (tone: Tone, text: string) => string

const painter =
  (stream: ColorStream): Paint =>
  (tone, text) =>
    showsColors(stream, process.env)
      ? styleText(formats[tone], text, { validateStream: false })
      : text

/** Colors a text for standard output. */
export const paint: Paint = painter(process.stdout)
/** Colors a text for standard error. */
export const paintError: Paint = painter(process.stderr)

/** Colors a problem for standard error; its place, if it begins with one, is only strong. */
export function paintProblem(line: string): string {
  const [, place, rest = line] = /^(\S+:\d+:\d+)(.*)$/s.exec(line) ?? []
  return `${place === undefined ? '' : paintError('strong', place)}${paintError('bad', rest)}`
}
