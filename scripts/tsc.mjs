// `tsc` of TypeScript 7, which checks this repository in 15 s instead of 2 min. It has no JavaScript API, so the packages that call
// the compiler (tsup, knip) have TypeScript 6, whose `tsc` is the one in `node_modules/.bin`.
import { root, run } from './run.mjs'

const compiler = `${root}node_modules/typescript-native/bin/tsc`
const cwd = process.cwd()
process.exitCode = await run(process.execPath, [compiler, ...process.argv.slice(2)], { cwd })
