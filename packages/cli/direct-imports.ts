import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const exportsFrom = /export \{([^}]*)\} from '((?:\.|@gatehouse\/)[^']*)'/g
const importFrom = /import (?!type)\{([^}]*)\} from '(@gatehouse\/[a-z-]+(?:\/[a-z-]+)?)'/g

/** The names in the braces of an import or an export, without types: `a`, `b as c`. */
const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** The file behind each name of an entry that only lists names of other files and of other entries. */
function filesOf(entry: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, list = '', path = ''] of readFileSync(entry, 'utf8').matchAll(exportsFrom)) {
    const source = path.startsWith('.') ? undefined : sourceOf(path)
    const files = source === undefined ? undefined : filesOf(source)
    for (const name of namesIn(list)) {
      const file = path.startsWith('.') ? resolve(dirname(entry), path) : files?.get(name)
      if (file !== undefined && !name.includes(' ')) found.set(name, file)
    }
  }
  return found
}

/** The source of an entry such as `@gatehouse/core/alerts`. */
function sourceOf(specifier: string): string | undefined {
  const [scope, name, ...rest] = specifier.split('/')
  const require = createRequire(import.meta.url)
  const manifest = require.resolve(`${scope}/${name}/package.json`)
  const { exports } = require(manifest)
  const source = exports[['.', ...rest].join('/')]?.['@gatehouse/source']
  return source === undefined ? undefined : resolve(dirname(manifest), source)
}

/**
 * Imports names of an entry from the files that define them. The bundler keeps the files of an entry together: one name of
 * `@gatehouse/core/auth` would make a command load the whole service.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  setup(build) {
    const entries = new Map<string, ReadonlyMap<string, string>>()
    const filesBehind = (specifier: string): ReadonlyMap<string, string> => {
      const known = entries.get(specifier)
      if (known !== undefined) return known
      const entry = sourceOf(specifier)
      const files = entry === undefined ? new Map<string, string>() : filesOf(entry)
      entries.set(specifier, files)
      return files
    }
    build.onLoad({ filter: /\/packages\/[a-z-]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replace(importFrom, (_, list: string, specifier: string) => {
        const files = filesBehind(specifier)
        const lines = namesIn(list).map((name) => {
          const file = files.get(name.split(' ')[0] ?? '') ?? specifier
          return `import { ${name} } from ${JSON.stringify(file)}`
        })
        return lines.join('; ')
      })
      return { contents, loader: 'ts' }
    })
  },
}
