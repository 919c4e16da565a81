import { describe, expect, it } from 'vitest'
import { mappingOf, sectionOf, wholeOf } from './fields.ts'
import { parseDocument } from './parse-document.ts'
import { createReading, type Decode, rootPlace } from './place.ts'
import { flag, listOf, mapOf, text } from './values.ts'

interface Door {
  readonly name: string
  readonly open?: boolean
}

interface Read<T> {
  readonly value: T | undefined
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

function read<T>(decode: Decode<T>, yaml: string): Read<T> {
  const reading = createReading<string>()
  const value = decode(rootPlace(reading, parseDocument({ text: yaml })))
  const problems = reading
    .problems()
    .map(({ problem, pointer }) => `${pointer} ${problem.line}:${problem.column} ${problem.code}`)
  return { value, problems, warnings: reading.warnings }
}

const fields = { name: text, open: flag }
const required = ['name'] as const

describe('mappingOf', () => {
  it('answers what is sound, and notes the rest in the order of the document', () => {
    const door = mappingOf<Door>(fields, { required })
    expect(read(door, 'open: 5\nnaem: x')).toEqual({
      value: {},
      problems: ['/name 1:1 required', '/open 1:7 wrong_type', '/naem 2:1 unknown_key'],
      warnings: [],
    })
    expect(read(door, 'name: a\nopen: x')).toMatchObject({
      value: { name: 'a' },
      problems: ['/open 2:7 wrong_type'],
    })
    expect(read(door, '[]').value).toBeUndefined()
  })

  it('passes over keys with a reason, and refuses the others', () => {
    const door = mappingOf<Door>(fields, {
      ignored: (key) => (key.startsWith('x-') ? 'is for others' : undefined),
    })
    expect(read(door, 'name: a\nx-colour: red\ncolour: red')).toEqual({
      value: { name: 'a' },
      problems: ['/colour 3:1 unknown_key'],
      warnings: ['x-colour: is for others'],
    })
  })
})

describe('wholeOf', () => {
  it('answers nothing where a required key is missing or not sound', () => {
    const door = wholeOf<Door>(fields, { required })
    expect(read(door, 'name: a\nopen: true').value).toEqual({ name: 'a', open: true })
    expect(read(door, 'name: a\nopen: 1').value).toEqual({ name: 'a' })
    expect(read(door, 'open: true').value).toBeUndefined()
    expect(read(door, 'name: 1').value).toBeUndefined()
    expect(read(listOf(door), '[{name: a}, {open: true}, {name: b}]').value).toEqual([
      { name: 'a' },
      { name: 'b' },
    ])
  })
})

describe('sectionOf', () => {
  it('has a default for every key that is missing or not sound', () => {
    const section = sectionOf({ name: 'front', open: false }, fields)
    expect(read(section, '{}').value).toEqual({ name: 'front', open: false })
    expect(read(section, 'open: true').value).toEqual({ name: 'front', open: true })
    expect(read(section, 'name: 1\nopen: true')).toMatchObject({
      value: { name: 'front', open: true },
      problems: ['/name 1:7 wrong_type'],
    })
    expect(read(section, '- 1')).toMatchObject({
      value: { name: 'front', open: false },
      problems: [' 1:1 wrong_type'],
    })
  })
})

describe('a pointer', () => {
  it('escapes what has a meaning in it, and cuts off what is too long', () => {
    const doors = mapOf(({ key }) => key, wholeOf<Door>(fields, { required }))
    expect(read(doors, '"a/b~c": [1]\n"": {name: 1}').problems).toEqual([
      '/a~1b~0c 1:10 wrong_type',
      '//name 2:12 wrong_type',
    ])
    const [problem = ''] = read(doors, `{"${'k'.repeat(10_000)}": 1}`).problems
    expect(problem.length).toBeLessThan(300)
  })
})
