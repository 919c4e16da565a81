import type { ShellText } from '../shell/read-shell-text.ts'

const compoundEnds: ReadonlySet<string> = new Set(['fi', 'done', 'esac', '}', ']]'])
/** Words before the name of the command. */
const prefixes: ReadonlySet<string> = new Set(
  '! { if then elif else while until do time exec command builtin'.split(' '),
)
/** These evaluate their arguments as shell text. */
const evaluators: ReadonlySet<string> = new Set(['eval', 'trap', 'alias'])

/** Quotes, and expansions that may be empty. The rest is what a shell may make of the word. */
const decoration = /['"\\]|\$\(.*\)|\$\{.*\}|`.*`|\$(?:\w+|[#?!$@*-])/gs

/** Whether the command name follows a word: an assignment, a prefix, or an option of a prefix. */
function startsCommand(text: string): boolean {
  return /^(?:-|[A-Za-z_]\w*=)/.test(text) || prefixes.has(text.replace(decoration, ''))
}

/** The reason why arguments cannot follow a shell text; `undefined` if they can, or if the text itself says where they belong. */
export function placementProblem(written: string, shape: ShellText): string | undefined {
  if (shape.usesParameters) return undefined
  if (shape.hasComment) return 'has a comment'
  if (shape.hasHereDocument) return 'has a here-document'
  if (shape.endsInside !== undefined) return `ends inside a ${shape.endsInside}`
  const [, last] = /(?:^|[^\\])(?:\\\\)*([&;|)])$/.exec(written) ?? []
  if (last !== undefined) return `ends in "${last}"`
  const { words, hasGroup } = shape.tail
  if (hasGroup) return 'does not end in a simple command'
  const end = words.at(-1)?.text ?? ''
  if (compoundEnds.has(end)) return `ends in "${end}"`
  const name = words.find(({ text }) => !startsCommand(text))
  if (name === undefined) return 'does not end in a command'
  if (name.mayVanish) return `takes a command from ${name.text}, which may be empty`
  const isEvaluator = evaluators.has(name.text.replace(decoration, ''))
  return isEvaluator ? `would pass them as shell text to ${name.text}` : undefined
}
