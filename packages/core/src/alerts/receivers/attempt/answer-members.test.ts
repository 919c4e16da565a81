import { describe, expect, it } from 'vitest'
import { answerMembers } from './answer-members.ts'

const membersOf = (body: string): Readonly<Record<string, unknown>> | undefined =>
  answerMembers({ status: 200, headers: new Headers(), body })

describe('answerMembers', () => {
  it('are those of an object', () => {
    expect(membersOf(' {"ok": true, "list": [1], "own": {"a": "b"}}\n')).toEqual({
      ok: true,
      list: [1],
      own: { a: 'b' },
    })
    expect(membersOf('{}')).toEqual({})
  })

  it.each(['', 'ok', '"ok"', 'null', '[{}]', '7', '<html>', '{', '{"ok"', '{"list":[1],"ok":'])(
    'do not exist for %j',
    (body) => {
      expect(membersOf(body)).toBeUndefined()
    },
  )

  it.each(['"message":{"text":"so', '"text":"so', '"ts', '12', '}}'])(
    'are the leading scalar members of an object that continues with %s',
    (rest) => {
      const start = String.raw`{ "ok" : true, "a\"b": "c,\\", "n":-1.5e3 , "no":null,`
      expect(membersOf(start + rest)).toEqual({ ok: true, 'a"b': 'c,\\', n: -1_500, no: null })
    },
  )

  it('do not exist for a text that only resembles an object', () => {
    expect(membersOf('{"n":1.2.3,"a":{')).toBeUndefined()
    expect(membersOf(String.raw`{"n":"\x","a":{`)).toBeUndefined()
  })

  it('are parsed in time linear in the length of the response', () => {
    const long = `{"a":${'"'.repeat(65_000)}`
    expect(membersOf(long)).toBeUndefined()
    expect(membersOf(`{${'"a":1,'.repeat(10_000)}"b":{`)).toEqual({ a: 1 })
  })
})
