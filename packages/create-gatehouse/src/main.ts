#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createApp } from './create-app.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

process.exitCode = await createApp(process.argv.slice(2), {
  cwd: process.cwd(),
  starter: fileURLToPath(new URL('./starter', import.meta.url)),
  version,
  hasSqlite: isBuiltin('node:sqlite'),
  randomSecret: () => randomBytes(32).toString('base64url'),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
})
