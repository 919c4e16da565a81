import { type Answer, emptyAnswer, plainFailure } from '../../http/answer.ts'
import type { PathEndpoints } from '../../http/api/place.ts'
import { accepts } from '../../http/media-type.ts'
import { checkParameterNames, otherMethodRefusal } from '../../http/own-api/failure.ts'
import { answering, type Endpoint, type Operation, requires } from './endpoint.ts'
import { frameworkFailure } from './frame/error-response.ts'
import type { FramedRow } from './frame/framed-row.ts'

/** What all rows of a path have in common: it depends on where the path is. */
interface PathForm extends Pick<FramedRow, 'kind' | 'isUnlimited'> {
  /** What may follow the path. */
  readonly ends: readonly string[]
  /** Adds the checks of a request before its operation. */
  guarded(operation: Operation): Operation
  /** Answers a method that the path does not take. */
  refuse(allowed: readonly string[]): Operation
}

/** Paths of Alertmanager's API. */
const apiForm: PathForm = {
  kind: 'api',
  ends: ['', '/'],
  guarded: (operation) => async (request, info) => {
    if (accepts(request.headers.get('accept'), 'application/json')) return operation(request, info)
    const message = 'unsupported media type requested, only [application/json] are available'
    return frameworkFailure(406, message)
  },
  refuse: (allowed) => {
    const allow = allowed.join(',')
    return async ({ method }) =>
      frameworkFailure(405, `method ${method} is not allowed, but [${allow}] are`, { allow })
  },
}

const withKnownNames =
  (operation: Operation): Operation =>
  async (request, info) => {
    checkParameterNames(info.query)
    return operation(request, info)
  }

/** Paths below `/gatehouse/v1`. */
const ownForm: PathForm = {
  kind: 'own',
  ends: [''],
  guarded: withKnownNames,
  refuse: (allowed) => withKnownNames(async () => otherMethodRefusal(allowed)),
}

/** Paths that watch the process. However busy it is, they answer: a probe that gets a 503 would end it. */
const plainForm: PathForm = {
  kind: 'plain',
  isUnlimited: true,
  ends: [''],
  guarded: (operation) => operation,
  refuse: refuseInText,
}

/** Answers a method that a path in text does not take. */
export function refuseInText(allowed: readonly string[]): Operation {
  const allow = [...allowed, 'OPTIONS'].sort().join(', ')
  return async ({ method }): Promise<Answer> =>
    method === 'OPTIONS'
      ? emptyAnswer(200, { allow })
      : plainFailure(405, 'Method Not Allowed\n', { allow })
}

function formOf(path: string): PathForm {
  if (path.startsWith('/api/')) return apiForm
  return path.startsWith('/gatehouse/') ? ownForm : plainForm
}

/** The rows of a path: the endpoint of each method, and the answer to other methods. */
export function pathRows(
  basePath: string,
  { path, endpoints }: PathEndpoints<Endpoint>,
): FramedRow[] {
  const { ends, guarded, refuse, ...form } = formOf(path)
  const answers = Object.entries(endpoints).flatMap(([method, endpoint]) =>
    (endpoint.answersHead ? [method, 'HEAD'] : [method]).map((one): [string, Endpoint] => [
      one,
      { ...endpoint, operation: guarded(endpoint.operation) },
    ]),
  )
  const others = requires('public', refuse(answers.map(([method]) => method)))
  return [...answers, ['*', others] as const].flatMap(([method, endpoint]) => {
    const { operation, answersHead: _head, ...needs } = endpoint
    const row = { ...needs, ...form, method, handler: path, answer: answering(operation) }
    return ends.map((end): FramedRow => ({ ...row, path: `${basePath}${path}${end}` }))
  })
}
