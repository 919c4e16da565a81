/**
 * Imports an optional package from `node_modules` when the program runs: bundlers do not follow a name that is not written out. It
 * finds packages that a bundle lacks, and packages that do not work inside of one.
 *
 * @typeParam T the package, whose types are not checked.
 */
export function importInstalled<T>(name: string): Promise<T> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ name)
}

/**
 * Returns an imported module if it exports a function or class of this name. Some bundlers put an empty module in the place of an
 * optional package that is not installed.
 *
 * @throws {Error} if it does not.
 */
export function withFunction<T extends object>(module: T, name: keyof T & string): T {
  if (typeof module[name] !== 'function') throw new Error(`the module has no function "${name}"`)
  return module
}

/**
 * Returns the exports of an imported CommonJS package. Where a bundler has wrapped it, only its `default` has all of them.
 */
export function commonExports<T extends object>(module: T, name: keyof T & string): T {
  const { default: wrapped } = module as { readonly default?: T }
  return name in module || wrapped === undefined ? module : wrapped
}
