import { notAuthenticated } from '../../authorization/access.ts'
import type { Caller } from '../../authorization/authorize.ts'
import type { WhoAmI } from '../../authorization/who-am-i.ts'
import { type Answer, textAnswer } from '../answer.ts'
import type { RequestInfo, Route } from '../route.ts'
import {
  checkParameterNames,
  otherMethodRefusal,
  ownErrorAnswer,
  unknownPathRefusal,
} from './failure.ts'

/** What {@link ownApiRoutes} serves. */
export interface OwnApiOptions {
  /** Returns the sender of a request and its rights; every service gives the same answer. */
  whoAmI(caller: Caller): Promise<WhoAmI>
  /** Whether the services have an `authorize`. */
  readonly isGuarded: boolean
}

/** The routes below `/gatehouse/v1` that every server has: `me`, and the answers to unknown paths. Mount them after the services' own. */
export function ownApiRoutes({ whoAmI, isGuarded }: OwnApiOptions): readonly Route[] {
  const rows: readonly (readonly [string, string, (info: RequestInfo) => Promise<Answer>])[] = [
    ['GET', '/me', async (info) => meAnswer(await sender(info, isGuarded, whoAmI))],
    ['*', '/me', async () => otherMethodRefusal(['GET'])],
    ['*', '', async ({ path }) => unknownPathRefusal(path)],
    ['*', '/*', async ({ path }) => unknownPathRefusal(path)],
  ]
  return rows.map(([method, path, answer]) => ({
    method,
    path: `/gatehouse/v1${path}`,
    action: 'public',
    answer: (_request, info) => answer(info).catch(ownErrorAnswer),
  }))
}

/**
 * The sender of a request to `me`, and its rights.
 *
 * @throws {GatehouseError} `NotAuthenticated` if the sender is unknown and the request demands one; `InvalidQuery`
 */
export async function sender(
  info: RequestInfo,
  isGuarded: boolean,
  whoAmI: OwnApiOptions['whoAmI'],
): Promise<WhoAmI> {
  checkParameterNames(info.query)
  // A browser asks for a password only after a refusal.
  const mustSignIn = new URLSearchParams(info.query).get('signIn') === 'true'
  if (mustSignIn && isGuarded && info.subject === undefined) throw notAuthenticated()
  return whoAmI(info)
}

const meAnswer = (me: WhoAmI): Answer =>
  textAnswer(200, `${JSON.stringify(me)}\n`, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  })
