import ts from 'typescript'
import { expect, it } from 'vitest'
import { type SourceFile, sources } from './sources.fixture.ts'

const maxLines = 100

/** Suites call `describe` and `it` in a function. */
const isSuite = ({ path }: SourceFile): boolean => path.startsWith('core/src/conformance/')

/** The functions that are too long, such as `places.ts createPlaces`, with their lines. */
function longFunctionsIn({ path, text }: SourceFile): [name: string, lines: number][] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: [string, number][] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const line = (position: number): number => file.getLineAndCharacterOfPosition(position).line
      const lines = line(node.end) - line(node.getStart(file)) + 1
      const folder = path.lastIndexOf('/')
      if (lines > maxLines) found.push([`${path.slice(folder + 1)} ${nameOf(node, file)}`, lines])
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function nameOf(node: ts.SignatureDeclaration, file: ts.SourceFile): string {
  const { parent } = node
  const name = node.name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined)
  return name?.getText(file) ?? 'a function'
}

it('no function has more than 100 lines', () => {
  const tooLong = sources
    .filter((source) => !isSuite(source) && source.text.split('\n').length > maxLines)
    .flatMap(longFunctionsIn)
  expect(Object.fromEntries(tooLong)).toEqual({})
})
