// The entry of a bundle: signs up, and prints which optional packages were found.
import { app } from './app.mjs'
import { signUpAndLook } from './sign-up.mjs'

// CommonJS has no `await` at the top level.
void signUpAndLook(async (path, init) => app.request(`http://localhost:3000${path}`, init)).then(
  (found) => {
    console.log(JSON.stringify(found))
    process.exit(0)
  },
)
