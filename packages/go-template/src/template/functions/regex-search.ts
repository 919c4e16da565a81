import { RE2JS, RE2JSSyntaxException } from 're2js'
import { GoError } from '../../go-error.ts'
import { checkPattern } from '../../regex/regex.ts'
import type { Run } from '../value.ts'
import { type RegexCost, regexCost } from './regex-cost.ts'
import { parseReplacement, type Replacement } from './replacement.ts'

/** A regular expression that matches anywhere in a text. */
export interface Search {
  readonly engine: RE2JS
  readonly cost: RegexCost
}

/** The size of the cache. */
const maxRemembered = 100
/** The product of instructions and characters that costs one step. */
const unitsPerStep = 50
/** The steps to compile one instruction, and the most instructions that are compiled. */
const stepsPerInstruction = 10
const maxInstructions = 40_000

const remembered = new Map<string, Search>()

/**
 * Compiles an expression in RE2 syntax, and caches the most recent ones.
 *
 * @throws {GoError} `InvalidRegex`, with Go's text; `TemplateLimit`.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compileSearch(source: string, run: Run): Search {
  const known = remembered.get(source)
  if (known !== undefined) {
    remembered.delete(source)
    remembered.set(source, known)
    return known
  }
  const cost = regexCost(source)
  run.spend(Math.min(cost.size, maxInstructions) * stepsPerInstruction)
  checkPattern(source)
  const search: Search = { engine: compile(source), cost }
  remembered.set(source, search)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= maxRemembered) break
    remembered.delete(oldest)
  }
  return search
}

/** A checked expression can only be refused for a duplicate group name. */
function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const message = `error parsing regexp: ${error.getDescription()}: \`${error.getPattern() ?? source}\``
    throw new GoError('BadRequest', 'InvalidRegex', message, { cause: error })
  }
}

/** Whether a text contains a match. */
export function hasMatch({ engine, cost }: Search, text: string, run: Run): boolean {
  run.spend((text.length * cost.size) / unitsPerStep)
  return engine.matcher(text).find()
}

/**
 * Replaces all matches in a text. In the replacement `$1`, `${1}` and `${name}` stand for groups, `$$` for a dollar sign.
 *
 * @see https://pkg.go.dev/regexp#Regexp.ReplaceAllString
 */
export function replaceAll(search: Search, text: string, template: string, run: Run): string {
  const { engine, cost } = search
  const replacement = parseReplacement(template, engine.namedGroups(), engine.groupCount())
  const matcher = engine.matcher(text)
  let replaced = ''
  let lastEnd = 0
  let from = 0
  while (from <= text.length) {
    const isFound = matcher.find(from)
    const end = isFound ? matcher.end() : text.length
    run.spend(1 + (((cost.looksAhead ? text.length : end) - from) * cost.size) / unitsPerStep)
    if (!isFound) break
    replaced += text.slice(lastEnd, matcher.start())
    // An empty match right after another match does not count.
    if (end > lastEnd || matcher.start() === 0) replaced += expand(replacement, matcher)
    run.checkLength(replaced.length)
    lastEnd = end
    from = end > from ? end : from + widthAt(text, from)
  }
  return replaced + text.slice(lastEnd)
}

function expand(
  replacement: Replacement,
  matcher: { group(index: number): string | null },
): string {
  let expanded = ''
  for (const part of replacement) {
    expanded += typeof part === 'string' ? part : (matcher.group(part) ?? '')
  }
  return expanded
}

function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}
