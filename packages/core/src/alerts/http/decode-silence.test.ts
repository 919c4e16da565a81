import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../../errors.ts'
import { decodeSilence } from './decode-silence.ts'

const silence = {
  matchers: [{ name: 'a', value: 'b', isRegex: false }],
  startsAt: '2026-01-02T03:04:05Z',
  endsAt: '2026-01-02T04:04:05+01:00',
  createdBy: 'me',
  comment: 'c',
}
const without = (...keys: string[]) =>
  Object.fromEntries(Object.entries(silence).filter(([key]) => !keys.includes(key)))

function failure(body: unknown): string {
  try {
    decodeSilence(typeof body === 'string' ? body : JSON.stringify(body))
    return 'no failure'
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    const code = error.info.code === undefined ? '' : `${error.info.code} `
    return code + error.message.replace('parsing silence body from "" failed, because ', '400 ')
  }
}

describe('decodeSilence', () => {
  it('reads every field', () => {
    const at = Date.UTC(2026, 0, 2, 3, 4, 5)
    const read = { ...silence, startsAt: at, endsAt: at }
    expect(decodeSilence(JSON.stringify(silence))).toEqual(read)
    const full = {
      id: 'x',
      annotations: { __proto: 'p' },
      matchers: [{ name: '', value: '', isRegex: true, isEqual: false }],
      comment: '',
      createdBy: '',
    }
    expect(decodeSilence(JSON.stringify({ ...silence, ...full }))).toEqual({ ...read, ...full })
  })

  it('accepts a matcher whose isEqual is missing or null', () => {
    const matchers = [{ name: 'a', value: 'b', isRegex: false, isEqual: null }]
    const [matcher] = decodeSilence(JSON.stringify({ ...silence, matchers })).matchers
    expect(matcher).toEqual({ name: 'a', value: 'b', isRegex: false })
  })

  it('accepts the zero time as present, but as no time', () => {
    const posted = { ...silence, startsAt: '0001-01-01T00:00:00Z' }
    expect(decodeSilence(JSON.stringify(posted))).not.toHaveProperty('startsAt')
  })

  it.each([
    ['', '602 silence in body is required'],
    ['null', '602 comment in body is required'],
    [{}, '602 comment in body is required'],
    [
      '[]',
      '400 json: cannot unmarshal array into Go value of type struct { ID string "json:\\"id,omitempty\\"" }',
    ],
    ['{', '400 unexpected EOF'],
    [
      { ...silence, id: 5 },
      '400 json: cannot unmarshal number into Go struct field .id of type string',
    ],
    [
      { ...silence, comment: {} },
      '400 json: cannot unmarshal object into Go struct field Silence.comment of type string',
    ],
    [
      { ...silence, matchers: {} },
      '400 json: cannot unmarshal object into Go struct field Silence.matchers of type models.Matchers',
    ],
    [
      { ...silence, matchers: ['a'] },
      '400 json: cannot unmarshal string into Go struct field Silence.matchers of type models.Matcher',
    ],
    [
      { ...silence, matchers: [{ isRegex: 'no' }] },
      '400 json: cannot unmarshal string into Go struct field Matcher.matchers.isRegex of type bool',
    ],
    [
      { ...silence, endsAt: true },
      '400 json: cannot unmarshal bool into Go struct field Silence.endsAt of type string',
    ],
    [without('comment', 'createdBy'), '602 comment in body is required'],
    [without('createdBy', 'endsAt'), '602 createdBy in body is required'],
    [without('endsAt', 'matchers'), '602 endsAt in body is required'],
    [without('matchers', 'startsAt'), '602 matchers in body is required'],
    [without('startsAt'), '602 startsAt in body is required'],
    [{ ...without('startsAt'), matchers: [{}] }, '602 matchers.0.isRegex in body is required'],
    [{ ...silence, matchers: [] }, '612 matchers in body should have at least 1 items'],
    [{ ...silence, matchers: [null] }, '602 matchers.0 in body is required'],
    [{ ...silence, matchers: [{ isRegex: true }] }, '602 matchers.0.name in body is required'],
    [
      { ...silence, matchers: [...silence.matchers, { isRegex: true, name: 'a' }] },
      '602 matchers.1.value in body is required',
    ],
  ])('answers %j with: %s', (body, message) => {
    expect(failure(body)).toBe(message)
  })
})
