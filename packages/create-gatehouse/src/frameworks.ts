/** A framework that apps can be created for. */
export interface Framework {
  /** The folder in the starter, and the value of `--framework`. */
  readonly name: string
  readonly title: string
  /** Packages that it needs and that no file imports. */
  readonly needs: readonly string[]
  /** Packages for development that no file imports. */
  readonly tools: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  readonly compilerOptions: Readonly<Record<string, unknown>>
  /** Files beside `src`, by path. */
  readonly files: Readonly<Record<string, string>>
}

const bundle = 'tsup src/server.ts --format esm'
const start = 'node --env-file=.env dist/server.js'

const onNode = {
  needs: [],
  tools: ['tsup'],
  scripts: {
    dev: `${bundle} --watch --onSuccess "${start}"`,
    build: bundle,
    start,
  },
  compilerOptions: { module: 'nodenext' },
  files: {},
}

const testSettings = `import { defineConfig } from 'vitest/config'

// Bundlers find \`next/headers\`, which this package imports; Node.js alone does not.
export default defineConfig({ test: { server: { deps: { inline: ['@gatehouse/next'] } } } })
`

export const frameworks: readonly Framework[] = [
  { name: 'hono', title: 'Hono', ...onNode },
  { name: 'express', title: 'Express', ...onNode },
  {
    name: 'next',
    title: 'Next.js',
    needs: ['next', 'react', 'react-dom'],
    tools: ['@types/react'],
    scripts: { dev: 'next dev', build: 'next build', start: 'next start' },
    compilerOptions: { module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
    files: { 'vitest.config.ts': testSettings },
  },
]
