import { sprint, sprintln } from '../format/sprint.ts'
import { sprintf } from '../format/sprintf.ts'
import { anyParameter, stringParameter, variadicFunction } from '../make-function.ts'
import type { Functions, Run, TemplateFunction, Value } from '../value.ts'

/**
 * `print`, `printf`, `println`, and `html`, `js` and `urlquery`, which print and then escape.
 *
 * @see https://pkg.go.dev/text/template#hdr-Functions
 */
export const printFunctions: Functions = new Map([
  ['print', variadicFunction([], anyParameter, (_, values, run) => sprint(run, values))],
  ['println', variadicFunction([], anyParameter, (_, values, run) => sprintln(run, values))],
  [
    'printf',
    variadicFunction([stringParameter], anyParameter, ([format], values, run) =>
      sprintf(run, format, values),
    ),
  ],
  ['html', escaper(escapeHtml)],
  ['js', escaper(escapeJs)],
  ['urlquery', escaper(escapeQuery)],
])

function escaper(escapeText: (text: string) => string): TemplateFunction {
  return variadicFunction([], anyParameter, (_, values, run) => escapeText(textOfAll(run, values)))
}

/** Joins values to one text. Here nil counts as no value. */
function textOfAll(run: Run, values: readonly Value[]): string {
  return sprint(
    run,
    values.map((value) => value ?? '<no value>'),
  )
}

const htmlEscapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['\0', '\ufffd'],
])

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => htmlEscapes.get(character) ?? character)
}

const jsEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['"', '\\"'],
])

/** Escapes unprintable characters too, except U+007F, which Go leaves unchanged. */
function escapeJs(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\\'"<>&=]|(?!\x7f)[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/gu, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      return jsEscapes.get(character) ?? `\\u${code}`
    })
}

function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
