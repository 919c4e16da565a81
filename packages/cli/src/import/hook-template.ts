import { resolve } from 'node:path'
import { isGatehouseError } from '@gatehouse/core'
import {
  parseTemplates,
  renderTemplate,
  stringParameter,
  type Template,
  type TemplateFunction,
  templateFunction,
} from '@gatehouse/core/template'
import {
  credentialSource,
  markOf,
  type OutsideSources,
  type OutsideValue,
  readOutside,
} from './hook-outside.ts'
import { NotCarriedOver } from './hook-sources.ts'

type List = Template['root']
type Statement = List['nodes'][number]
type Pipe = Extract<Statement, { kind: 'action' }>['pipe']

/** The functions of adnanh/webhook besides those of Go, and what each reads. */
const readers: Readonly<Record<string, (name: string, sources: OutsideSources) => OutsideValue>> = {
  getenv: (name) => ({ from: 'env', name }),
  cat: (name, { folders: [folder = ''] }) => ({ from: 'file', name: resolve(folder, name) }),
  credential: credentialSource,
}

/** A call that stands alone is printed as a mark. No text of a template can name this function. */
const marking = (name: string): string => `${name} as a mark`

/** Functions that only escape, for JSON and JavaScript: a reference needs no escape. */
const escapes: readonly string[] = ['js', 'print']

/** Whether a file is meant to be rendered before it is read. */
export const looksLikeTemplate = (text: string): boolean =>
  /\{\{[^}]*\b(?:getenv|cat|credential)\b/.test(text)

/**
 * Renders a hooks file as `webhook -template` does, with its functions `getenv`, `cat` and `credential`. A value that is printed as
 * it is becomes a mark, so that it can be a reference instead of a copy. Conditions and variables see the value itself.
 *
 * @throws {Error} with the place, and with advice for escaped quotes.
 */
export function renderHooks(file: string, text: string, sources: OutsideSources): string {
  const functions = new Map<string, TemplateFunction>()
  for (const [name, read] of Object.entries(readers)) {
    functions.set(
      name,
      reading((given) => printed(read(given, sources), sources)),
    )
    functions.set(
      marking(name),
      reading((given) => markOf(read(given, sources))),
    )
  }
  try {
    const set = parseTemplates([{ name: file, text }], { functions, rewrite: marked })
    return renderTemplate(set, file, { data: null })
  } catch (error) {
    if (!isGatehouseError(error) && !(error instanceof NotCarriedOver)) throw error
    throw new Error(`${file}: ${adviceOn(text) ?? error.message}`, { cause: error })
  }
}

const reading = (read: (name: string) => string): TemplateFunction =>
  templateFunction([stringParameter], ([name]) => read(name))

/** What is not there is empty, as in the program; what may not be read ends the import. */
function printed(value: OutsideValue, sources: OutsideSources): string {
  if (value.from === 'env') return sources.environment[value.name] ?? ''
  return readOutside(value, sources)
}

/** The templates with calls that stand alone replaced. */
function marked(templates: ReadonlyMap<string, Template>): ReadonlyMap<string, Template> {
  return new Map(
    [...templates].map(([name, template]) => [
      name,
      { ...template, root: markedList(template.root) },
    ]),
  )
}

function markedList(list: List): List {
  return { ...list, nodes: list.nodes.map(markedStatement) }
}

function markedStatement(node: Statement): Statement {
  if (node.kind === 'action') return { ...node, pipe: markedPipe(node.pipe) }
  if (node.kind !== 'if' && node.kind !== 'range' && node.kind !== 'with') return node
  const elseList = node.elseList === undefined ? {} : { elseList: markedList(node.elseList) }
  return { ...node, list: markedList(node.list), ...elseList }
}

function markedPipe(pipe: Pipe): Pipe {
  const [call, ...others] = pipe.commands
  const [called, argument, ...more] = call?.operands ?? []
  const isAlone =
    pipe.variables.length === 0 &&
    more.length === 0 &&
    argument?.kind === 'string' &&
    others.every(({ operands: [only, ...rest] }) => {
      return rest.length === 0 && only.kind === 'identifier' && escapes.includes(only.name)
    })
  if (!isAlone || call === undefined || called?.kind !== 'identifier') return pipe
  if (!Object.hasOwn(readers, called.name)) return pipe
  const named = { ...called, name: marking(called.name) }
  return { ...pipe, commands: [{ ...call, operands: [named, argument] }, ...others] }
}

/** Quotes that were escaped for JSON, although the template is read first. */
function adviceOn(text: string): string | undefined {
  const at = /\{\{(?:[^}"\\`]|`[^`]*`)*\\"/.exec(text)?.index
  if (at === undefined) return undefined
  const line = text.slice(0, at).split('\n').length
  return `line ${line}: a quote between {{ and }} has no backslash, because templates are rendered before their text is JSON; write {{ getenv "NAME" | js }}, or {{ getenv \`NAME\` | js }} if a program writes this file as JSON`
}
