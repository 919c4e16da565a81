import { readFile } from 'node:fs/promises'
import type { Options } from 'tsup'
import ts from 'typescript'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Marks what modules compute when they are loaded, such as schemas, so that a bundler drops what an app does not use. Bundlers drop
 * unused modules of a package by themselves, but here many modules become one file, and a call may have side effects unless it is
 * marked. No module of ours has any: `sideEffects` is false in each `package.json`.
 */
export const pureInitializers: Plugin = {
  name: 'pure-initializers',
  setup(build) {
    const own = /\/packages\/[^/]+\/src\/.*\.ts$|\/node_modules\/yaml\/browser\/.*\.js$/
    build.onLoad({ filter: own }, async ({ path }) => ({
      contents: markInitializers(await readFile(path, 'utf8')),
      loader: path.endsWith('.ts') ? 'ts' : 'js',
    }))
  },
}

/** Wraps the initializers of top-level constants in functions whose calls are marked as pure. */
function markInitializers(source: string): string {
  const file = ts.createSourceFile('module.ts', source, ts.ScriptTarget.Latest)
  let marked = source
  // From the end, so that earlier positions stay true.
  for (const statement of file.statements.toReversed()) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { initializer } of statement.declarationList.declarations.toReversed()) {
      if (initializer === undefined || !computes(initializer)) continue
      const [start, end] = [initializer.getStart(file), initializer.end]
      marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`
    }
  }
  return marked
}

/** Whether an expression runs code, or reads what may: the body of a function does not run. */
function computes(expression: ts.Node): boolean {
  if (ts.isFunctionLike(expression)) return false
  if (ts.isAwaitExpression(expression)) return false
  const isActive =
    ts.isCallExpression(expression) ||
    ts.isNewExpression(expression) ||
    ts.isTaggedTemplateExpression(expression) ||
    ts.isPropertyAccessExpression(expression) ||
    ts.isElementAccessExpression(expression) ||
    ts.isSpreadAssignment(expression) ||
    ts.isSpreadElement(expression)
  return isActive || (ts.forEachChild(expression, (child) => computes(child) || undefined) ?? false)
}
