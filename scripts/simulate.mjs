// npm run simulate -- [options]: runs services through seeded faults, in one thread. See CONTRIBUTING.md.
import { runBundled } from './bundle.mjs'

process.exitCode = await runBundled('simulation', process.argv.slice(2))
