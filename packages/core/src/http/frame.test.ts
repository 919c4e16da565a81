import { expect, it } from 'vitest'
import { type Answer, textAnswer } from './answer.ts'
import { createFrame, type Exchange, type Row } from './frame.ts'
import type { RequestInfo, Route } from './route.ts'

const info: RequestInfo = { params: {}, path: '/a', mountPath: '', query: '', secure: true }

/** A route in a frame, and the names of the ports in the order in which they were called. */
function framedRoute(row: Partial<Row> = {}, refusal?: Error): { route: Route; calls: string[] } {
  const calls: string[] = []
  const called = <T>(name: string, value: T): T => {
    calls.push(name)
    return value
  }
  const frame = createFrame<Row, Exchange, Answer, Answer>({
    open: (request, info) => called('open', { request, info }),
    check: () => called('check', refusal && Promise.reject(refusal)),
    refuse: (error) => called('refuse', textAnswer(403, String(error), {})),
    settle: (outcome) => called('settle', outcome),
    report: ({ status }) => called(`report ${status}`, undefined),
    complete: (answer) => called('complete', { ...answer, headers: { 'x-own': '1' } }),
  })
  const answer = async () => called('answer', textAnswer(200, 'text', {}))
  return { route: frame({ method: 'GET', path: '/a', action: 'public', answer, ...row }), calls }
}

const sent = (method = 'GET') => new Request('http://localhost/a', { method })

it('a request is opened, checked, answered, reported and completed', async () => {
  const { route, calls } = framedRoute()
  const answer = await route.answer(sent(), info)
  expect(answer).toMatchObject({ status: 200, body: 'text', headers: { 'x-own': '1' } })
  expect(calls).toEqual(['open', 'check', 'answer', 'settle', 'report 200', 'complete'])
})

it('a request that the check refuses does not reach its row', async () => {
  const { route, calls } = framedRoute({}, new Error('no'))
  expect(await route.answer(sent(), info)).toMatchObject({ status: 403, body: 'Error: no' })
  expect(calls).toEqual(['open', 'check', 'refuse', 'settle', 'report 403', 'complete'])
})

it('what runs around a request has its check and its row inside, and may answer in their place', async () => {
  const calls: string[] = []
  let isOpen = true
  const frame = createFrame<Row, Exchange, Answer, Answer>({
    open: (request, info) => ({ request, info }),
    check: () => void calls.push('check'),
    within: async (_row, _exchange, proceed) => {
      if (!isOpen) return textAnswer(503, 'busy', {})
      calls.push('before')
      const answer = await proceed()
      calls.push('after')
      return answer
    },
    refuse: (error) => textAnswer(403, String(error), {}),
    settle: (outcome) => outcome,
    report: ({ status }) => calls.push(`report ${status}`),
    complete: (answer) => answer,
  })
  const answer = async () => {
    calls.push('answer')
    return textAnswer(200, 'text', {})
  }
  const route = frame({ method: 'GET', path: '/a', action: 'public', answer })
  expect(await route.answer(sent(), info)).toMatchObject({ status: 200 })
  isOpen = false
  expect(await route.answer(sent(), info)).toMatchObject({ status: 503, body: 'busy' })
  expect(calls).toEqual(['before', 'check', 'answer', 'after', 'report 200', 'report 503'])
})

it('an error of a row is refused as its service words it', async () => {
  const { route } = framedRoute({ answer: () => Promise.reject(new Error('broken')) })
  expect(await route.answer(sent(), info)).toMatchObject({ status: 403, body: 'Error: broken' })
})

it('an answer to HEAD keeps its headers and length, and stops the stream that it does not send', async () => {
  let isStopped = false
  const body = new ReadableStream<Uint8Array>({
    cancel: () => {
      isStopped = true
    },
  })
  const { route } = framedRoute({
    method: 'HEAD',
    answer: async () => ({ status: 200, headers: {}, body, byteLength: 4 }),
  })
  const answer = await route.answer(sent('HEAD'), info)
  expect(answer).toEqual({ status: 200, headers: { 'x-own': '1' }, body: null, byteLength: 4 })
  expect(isStopped).toBe(true)
})

it('only a row for WebSockets connects, and is checked and refused in the same way', async () => {
  expect(framedRoute().route.connect).toBeUndefined()
  const handler = () => () => {}
  const connect = async () => handler
  expect(await framedRoute({ connect }).route.connect?.(sent(), info)).toBe(handler)
  const refused = framedRoute({ connect }, new Error('no')).route
  expect(await refused.connect?.(sent(), info)).toMatchObject({
    status: 403,
    headers: { 'x-own': '1' },
  })
})
