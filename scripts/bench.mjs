// npm run bench -- NAME [options]: runs bench/NAME.mjs.
import { readdirSync } from 'node:fs'

const folder = new URL('../bench/', import.meta.url)
const [name, ...args] = process.argv.slice(2)
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.mjs'))
  .map((entry) => entry.name.slice(0, -'.mjs'.length))

if (name !== undefined && names.includes(name)) {
  const { run } = await import(new URL(`${name}.mjs`, folder).href)
  await run(args)
} else {
  if (name !== undefined) console.error(`Unknown benchmark "${name}".`)
  console.error(`npm run bench -- NAME [--help]\nBenchmarks: ${names.join(', ')}`)
  process.exitCode = 1
}
