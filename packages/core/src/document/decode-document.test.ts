import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../errors.ts'
import { decodeDocument, inspectDocument, nodeAt } from './decode-document.ts'
import { objectDocument } from './object-document.ts'
import { parseDocument } from './parse-document.ts'
import {
  built,
  checked,
  flag,
  integer,
  keyOf,
  listOf,
  mapOf,
  mapping,
  oneOf,
  optional,
  parsedText,
  required,
  type Schema,
  text,
  withDefault,
} from './schema.ts'

interface Door {
  readonly name: string
  readonly width: number
  readonly kind: 'wood' | 'steel'
  readonly locked: boolean | undefined
}

const door: Schema<Door> = mapping<Door>(
  {
    name: required(text, 'Its name.'),
    width: withDefault(integer(1, 9), 2, 'In metres.'),
    kind: withDefault(oneOf('wood', 'steel'), 'wood', 'The material.'),
    locked: optional(flag, 'Whether it is locked.'),
  },
  { ignored: (key) => (key === 'color' ? 'has no effect here' : undefined) },
)

interface House {
  readonly doors: readonly Door[]
  readonly rooms: ReadonlyMap<string, number> | undefined
}

const house: Schema<House> = mapping<House>({
  doors: required(listOf(door), 'Its doors.'),
  rooms: optional(
    mapOf(
      keyOf((key, report) => (/^\w+$/.test(key) ? key : report('out_of_range', 'must be a word'))),
      integer(1),
    ),
    'Their sizes.',
  ),
})

const linesOf = (document: string | object, schema: Schema<unknown> = house): readonly string[] => {
  const node =
    typeof document === 'string' ? parseDocument({ text: document }) : objectDocument(document)
  const { problems } = inspectDocument(node, schema)
  return problems.map(({ path, code, line, column, message }) => {
    return `${line}:${column} ${path} ${code}: ${message}`
  })
}

describe('decodeDocument()', () => {
  it('fills in defaults, and warns of keys that have no effect', () => {
    const node = parseDocument({ text: 'doors: [{ name: a, color: red }]\n' })
    expect(decodeDocument(node, house)).toEqual({
      value: { doors: [{ name: 'a', width: 2, kind: 'wood' }] },
      warnings: ['doors[0].color: has no effect here'],
    })
  })

  it('reports every problem at its place, in the order of the document', () => {
    expect(
      linesOf(`
rooms: { a b: 1, c: "2", d: 0 }
doors:
  - { nam: a, width: 10 }
  - { name: 7, kind: steal, locked: "true" }
  - 5
  -
windows: 1
`),
    ).toEqual([
      '2:10 rooms["a b"] out_of_range: must be a word',
      '2:21 rooms.c wrong_type: must be a whole number: write it without quotes',
      '2:29 rooms.d out_of_range: must be at least 1',
      '4:5 doors[0].name required: is missing',
      '4:7 doors[0].nam unknown_key: unknown key "nam"; did you mean "name"?',
      '4:22 doors[0].width out_of_range: must be from 1 to 9',
      '5:13 doors[1].name wrong_type: must be text: put it in quotes',
      '5:22 doors[1].kind out_of_range: must be one of wood, steel; did you mean "steel"?',
      '5:37 doors[1].locked wrong_type: must be true or false: write it without quotes',
      '6:5 doors[2] wrong_type: must be a mapping',
      '7:4 doors[3] wrong_type: is empty, but must be a mapping',
      '8:1 windows unknown_key: unknown key "windows"',
    ])
  })

  it('throws one error that names the file and has all problems', () => {
    const node = parseDocument({ text: 'doors: 1\nroom: 2\n' })
    const decode = () => decodeDocument(node, house, { filename: 'house.yaml' })
    expect(decode).toThrow(
      'house.yaml:1:8 doors: must be a list\nhouse.yaml:2:1 room: unknown key "room"',
    )
    try {
      decode()
    } catch (error) {
      expect(isGatehouseError(error) && error.info.problems).toHaveLength(2)
    }
  })

  it('reads keys with names that every object has', () => {
    const names = ['__proto__', 'constructor', 'toString']
    const members = names.map((name) => `"${name}": 1`).join(', ')
    expect(linesOf(`{"doors": [], ${members}}`)).toHaveLength(3)
    const { value } = decodeDocument(
      parseDocument({ text: `{"doors": [], "rooms": {${members}}}` }),
      house,
    )
    expect([...(value.rooms?.keys() ?? [])]).toEqual(names)
    expect(linesOf('{"doors": [{"name": "a", "__proto__": {"width": 3}}]}')).toEqual([
      '1:26 doors[0].__proto__ unknown_key: unknown key "__proto__"',
    ])
  })

  it('never quotes a value', () => {
    const secret = 'sup3rsecret'
    const given = { doors: [{ name: [secret], kind: secret, width: secret, locked: secret }] }
    expect(linesOf(given)).toHaveLength(4)
    expect(linesOf({ doors: secret, rooms: { a: secret } }).join()).not.toContain(secret)
    expect(linesOf(given).join()).not.toContain(secret)
  })

  it('gives readers the context of the document', () => {
    const greeting = mapping<{ readonly name: string }>({
      name: required(
        parsedText((name, _report, context: { readonly suffix: string }) => name + context.suffix),
        'The name to greet.',
      ),
    })
    const { value } = decodeDocument(parseDocument({ text: 'name: you\n' }), greeting, {
      context: { suffix: '!' },
    })
    expect(value.name).toBe('you!')
  })
})

describe('a rule over several keys', () => {
  const seen: unknown[] = []
  const pair = checked(
    mapping<{ readonly first: number; readonly second: number | undefined }>({
      first: required(integer(0), 'One.'),
      second: optional(integer(0), 'The other.'),
    }),
    ({ value, isBroken, report, reportKey, warn }) => {
      seen.push([value, isBroken('first'), isBroken('second')])
      if (value.first === value.second) reportKey(['second'], 'conflict', 'must differ')
      if (value.second === undefined) report(['second'], 'required', 'is needed here')
      else warn(['second'], 'is seldom used')
    },
  )

  it('runs on the valid keys if others are invalid', () => {
    expect(linesOf('first: x\nsecond: 2\n', pair)).toEqual([
      '1:8 first wrong_type: must be a whole number',
    ])
    expect(seen.pop()).toEqual([{ first: undefined, second: 2 }, true, false])
  })

  it('reports at the key, or where the key should be', () => {
    expect(linesOf('first: 2\nsecond: 2\n', pair)).toEqual(['2:1 second conflict: must differ'])
    expect(linesOf('first: 2\n', pair)).toEqual(['1:1 second required: is needed here'])
  })

  it('may warn, and the value is still built', () => {
    const sum = built(pair, ({ first, second = 0 }) => first + second)
    const { value, warnings } = decodeDocument(
      parseDocument({ text: 'first: 1\nsecond: 2\n' }),
      sum,
    )
    expect([value, warnings]).toEqual([3, ['second: is seldom used']])
  })

  it('builds a value beside a key that has no effect', () => {
    const width = built(door, (one) => one.width)
    const node = parseDocument({ text: 'name: a\nwidth: 3\ncolor: red\n' })
    expect(decodeDocument(node, width)).toEqual({
      value: 3,
      warnings: ['color: has no effect here'],
    })
  })
})

describe('inspectDocument()', () => {
  it('returns the valid parts of a document that has problems', () => {
    const node = parseDocument({
      text: 'doors: [{ name: a }, { name: 1, width: 3 }]\nrooms: { a: x }\n',
    })
    const { value, sound } = inspectDocument(node, house)
    expect(value).toBeUndefined()
    expect(sound).toEqual({
      doors: [
        { name: 'a', width: 2, kind: 'wood' },
        { name: undefined, width: 3, kind: 'wood' },
      ],
      rooms: new Map([['a', undefined]]),
    })
  })
})

describe('nodeAt()', () => {
  it('finds the node at a path', () => {
    const node = parseDocument({ text: 'a:\n  - b: 1\n' })
    expect(nodeAt(node, 'a', 0, 'b')).toMatchObject({ text: '1', line: 2, column: 8 })
    expect(nodeAt(node, 'a', 1)).toBeUndefined()
    expect(nodeAt(node, 'toString')).toBeUndefined()
  })
})
