// Reads the options of a function from the docstrings of the interface that it takes.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from './run.mjs'

const readSource = (path) =>
  ts.createSourceFile(path, readFileSync(`${root}${path}`, 'utf8'), ts.ScriptTarget.Latest, true)

/**
 * The members of an interface and of those that it extends, in the order of the source.
 *
 * @param {string} path of the source, relative to the repository
 * @param {string} name of the interface
 * @returns {{ name: string, isOptional: boolean, text: string, fallback: string, see: string[] }[]}
 */
export function optionsOf(path, name) {
  const source = readSource(path)
  const found = source.statements.find(
    (one) => ts.isInterfaceDeclaration(one) && one.name.text === name,
  )
  if (found === undefined) throw new Error(`${path} has no interface ${name}`)
  const own = found.members.map((member) => optionOf(member, `${path} ${name}`))
  const inherited = (found.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments }) =>
      inheritedFrom(source, expression.getText(), typeArguments),
    ),
  )
  return [...own, ...inherited.filter((one) => own.every((other) => other.name !== one.name))]
}

/** The members of a type that an interface extends: another interface, or `Partial` or `Omit` of one. */
function inheritedFrom(source, name, [first, second] = []) {
  const ofFirst = () => inheritedFrom(source, first.typeName.getText(), first.typeArguments)
  if (name === 'Partial') return ofFirst().map((one) => ({ ...one, isOptional: true }))
  if (name === 'Omit') {
    const omitted = new Set([...second.getText().matchAll(/'(\w+)'/g)].map(([, key]) => key))
    return ofFirst().filter((one) => !omitted.has(one.name))
  }
  const from = source.statements.find(
    (one) =>
      ts.isImportDeclaration(one) &&
      one.importClause?.namedBindings?.elements?.some((element) => element.name.text === name),
  )
  const file = from ? join(dirname(source.fileName), from.moduleSpecifier.text) : source.fileName
  return optionsOf(file, name)
}

function optionOf(member, place) {
  const name = member.name.getText()
  const [comment] = member.jsDoc ?? []
  const written = ts.getTextOfJSDocComment(comment?.comment)
  if (!written) throw new Error(`${place}.${name} has no docstring`)
  const plain = written
    .replace(/\s+/g, ' ')
    .replace(/\{@link (\w+)\.(\w+)\}/g, '`$2`')
    .replace(/\{@link ([a-z]\w*)\}/g, '`$1()`')
    .replace(/\{@link (\w+)\}/g, '`$1`')
  const { text, fallback } = withoutDefault(plain)
  const see = (comment.tags ?? [])
    .filter((tag) => tag.tagName.text === 'see')
    .map((tag) =>
      tag
        .getText()
        .replace(/^@see\s+/, '')
        .replace(/[\s*]+$/, ''),
    )
    .filter((target) => target.startsWith('docs/'))
  const isOptional = member.questionToken !== undefined
  return { name, isOptional, text, fallback, see }
}

/** Takes `(default …)`, `(needed …)` and `Default: ….` out of a docstring. */
function withoutDefault(text) {
  const [whole, given] = / ?\(((?:default|needed)\b[^()]*(?:\([^()]*\)[^()]*)*)\)/.exec(text) ??
    /(?:^| )(Default: [^.]*)\.$/.exec(text) ?? ['', '']
  const fallback = given.replace(/^default:? /i, '')
  return { text: text.replace(whole, '').trim(), fallback }
}
