import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

// The people of `npm start`: one for each role, to see the difference, and a few more.

const roles = { viewer: 'viewer', operator: '[editor, operator]', admin: 'admin' }

/** The lines of `access.sessions`. */
export const roleLines = Object.entries(roles)
  .map(([name, role]) => `    ${name}@example.com: ${role}`)
  .join('\n')

/** The people, with one password that only this folder knows: a fixed one would be public. */
export function demoPeople() {
  const password = `lantern-${randomBytes(4).toString('hex')}`
  const named = { viewer: 'Vera Holt', operator: 'Otto Berg', admin: 'Ada Lund' }
  const others = { jo: 'Jo Solberg', kim: 'Kim Vik', maya: 'Maya Lind' }
  return Object.entries({ ...others, ...named }).map(([id, name]) => ({
    id,
    email: `${id}@example.com`,
    emailVerified: true,
    password: id in roles ? password : undefined,
    standardAttributes: { name },
    ...(id === 'kim' ? { disabled: true, disableReason: 'left the shop in May' } : {}),
  }))
}

/**
 * Waits until the server is ready, and enters the people unless it has any: somebody may have deleted them.
 *
 * @param people as in the file that {@link demoPeople} made.
 */
export async function enterPeople(url, token, people) {
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await pause(200)
  const users = `${url}/gatehouse/v1/users`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (address, init) => {
    const answer = await fetch(address, { ...init, headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { items } = await ask(`${users}?limit=1`, {})
  if (items.length > 0) return
  for (const person of people) {
    await ask(users, { method: 'POST', body: JSON.stringify(person) })
  }
}
