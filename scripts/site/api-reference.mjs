// A page for every export of every entry of the packages, from the sources, by typedoc.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { installWhenNeeded } from '../install-when-needed.mjs'
import { root } from '../run.mjs'

/** typedoc reads TypeScript 6 at most. */
const packages = ['typedoc@0.28.20', 'typescript@6.0.3']

/** @returns {{ name: string, source: string }[]} every entry of `exports`. */
function packageEntries() {
  return readdirSync(`${root}packages`).flatMap((folder) => {
    const manifest = readFileSync(`${root}packages/${folder}/package.json`, 'utf8')
    const { name, exports = {} } = JSON.parse(manifest)
    return Object.entries(exports).flatMap(([entry, { '@gatehouse/source': source }]) =>
      source === undefined
        ? []
        : [{ name: name + entry.slice(1), source: `${root}packages/${folder}/${source.slice(2)}` }],
    )
  })
}

/**
 * Writes the pages to `api/`.
 *
 * @param {string} folder of the site
 * @returns {Promise<{ title: string, page: string }[]>} the page of each entry
 * @throws {Error} if a docstring has a link that leads nowhere, or an entry cannot be read.
 */
export async function writeApiReference(folder) {
  const plugin = installWhenNeeded('typedoc-plugin-markdown', '4.14.1', packages)
  const { Application } = await import(pathToFileURL(`${plugin}../typedoc/dist/index.js`).href)
  const tsconfig = `${folder}tsconfig.json`
  const compilerOptions = {
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    noEmit: true,
    lib: ['ES2023', 'ES2024.ArrayBuffer', 'ES2024.String', 'DOM', 'DOM.Iterable'],
    typeRoots: [`${root}node_modules/@types`],
  }
  const include = [`${root}packages/*/src`]
  const exclude = [`${root}packages/*/src/**/*.test.ts*`, `${root}packages/{cli,console}/src`]
  const config = { extends: `${root}tsconfig.base.json`, compilerOptions, include, exclude }
  writeFileSync(tsconfig, JSON.stringify(config))

  const entries = packageEntries()
  const app = await Application.bootstrapWithPlugins({
    plugin: [`${plugin}dist/index.js`],
    tsconfig,
    entryPoints: entries.map(({ source }) => source),
    out: `${folder}api`,
    sortEntryPoints: false,
    skipErrorChecking: true,
    name: 'API',
    readme: 'none',
    groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases', '*'],
    router: 'member',
    entryFileName: 'index',
    disableSources: true,
    excludeInternal: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    expandObjects: false,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    enumMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    indexFormat: 'table',
    logLevel: 'Error',
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('typedoc cannot read the packages')
  for (const [index, module] of project.children.entries()) module.name = entries[index].name
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error('typedoc reported errors')
  return entries.map(({ name }) => ({ title: name, page: `api/${name}/index.md` }))
}
