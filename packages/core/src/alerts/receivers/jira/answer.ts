import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { answerMembers } from '../attempt/answer-members.ts'

/** A found issue. */
export interface FoundIssue {
  readonly key: string
  /** Whether its status category is done; `undefined` if Jira does not report one. */
  readonly isDone: boolean | undefined
}

/** The first issue of a search; `undefined` if none was found, `'unreadable'` if the response cannot be parsed. */
export function firstIssue(answer: OutgoingAnswer): FoundIssue | undefined | 'unreadable' {
  const members = answerMembers(answer)
  if (members === undefined) return 'unreadable'
  const [first] = listOf(members.issues)
  if (first === undefined) return undefined
  const key = memberOf(first, 'key')
  if (typeof key !== 'string' || key === '') return 'unreadable'
  const category = ['fields', 'status', 'statusCategory', 'key'].reduce(memberOf, first)
  return { key, isDone: typeof category === 'string' ? category === 'done' : undefined }
}

/** The id of the transition with this name; `undefined` if there is none. */
export function transitionId(answer: OutgoingAnswer, name: string): string | undefined {
  const transitions = listOf(answerMembers(answer)?.transitions)
  const id = memberOf(
    transitions.find((transition) => memberOf(transition, 'name') === name),
    'id',
  )
  return typeof id === 'string' ? id : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A member of a value; `undefined` if it is missing. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return new Map<string, unknown>(Object.entries(value)).get(name)
}
