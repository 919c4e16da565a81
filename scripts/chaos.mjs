// npm run chaos -- [options]: kills, stops and restarts processes of the built command. See CONTRIBUTING.md.
import { buildJs } from './build-js.mjs'
import { runBundled } from './bundle.mjs'

process.exitCode = (await buildJs()) ? await runBundled('chaos', process.argv.slice(2)) : 1
