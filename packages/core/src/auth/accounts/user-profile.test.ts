import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import type { Json } from '../../storage/storage.ts'
import { e164PhoneNumbers } from '../phone/e164-phone-numbers.ts'
import {
  type AttributeRules,
  type CustomAttribute,
  changeAttributes,
  checkAttributes,
  isStandardPointer,
} from './user-profile.ts'

const custom: readonly CustomAttribute[] = [
  { id: '1', pointer: '/x_nick', type: 'string' },
  { id: '2', pointer: '/x_height', type: 'number', minimum: 0.5 },
  { id: '3', pointer: '/x_age', type: 'integer', minimum: 18, maximum: 130 },
  { id: '4', pointer: '/x_size', type: 'enum', enum: ['S', 'M'] },
  { id: '5', pointer: '/x_mobile', type: 'phone_number' },
  { id: '6', pointer: '/x_work', type: 'email' },
  { id: '7', pointer: '/x_page', type: 'url' },
  { id: '8', pointer: '/x_country', type: 'country_code' },
]

function rulesFor(required: readonly string[], optional: readonly string[] = []): AttributeRules {
  return {
    user_profile: [
      ...required.map((pointer) => ({ pointer, required: true })),
      ...optional.map((pointer) => ({ pointer, required: false })),
    ],
    custom_attributes: custom,
    claims: {
      email: ['maya@x.io', 'lena@x.io'],
      phone_number: ['+6591234567'],
      preferred_username: [],
    },
    phoneNumbers: e164PhoneNumbers,
  }
}

/** The validation causes of one attribute value. */
function causesOf(pointer: string, value: Json): readonly object[] {
  const checked = checkAttributes(rulesFor([pointer]), [{ pointer, value }])
  return 'causes' in checked ? checked.causes : []
}

const format = (name: string) => [
  { location: '/attributes/0/value', kind: 'format', details: { format: name } },
]

describe('attributes', () => {
  it('that are requested but omitted are erased', () => {
    const rules = rulesFor(['/name'], ['/nickname', '/x_age', '/website'])
    const given = [
      { pointer: '/x_age', value: 44 },
      { pointer: '/name', value: 'Maya Lin' },
    ]
    expect(checkAttributes(rules, given)).toEqual({
      attributes: [
        { pointer: '/name', value: 'Maya Lin' },
        { pointer: '/nickname' },
        { pointer: '/x_age', value: 44 },
        { pointer: '/website' },
      ],
    })
  })

  it('that are required must all be present', () => {
    const cause = { location: '/attributes', kind: 'contains', details: { actual: 0, min: 1 } }
    const rules = rulesFor(['/name', '/gender'], ['/nickname'])
    expect(checkAttributes(rules, [])).toEqual({ causes: [cause, cause] })
    expect(checkAttributes(rules, [{ pointer: '/name', value: 'Maya' }])).toEqual({
      causes: [cause],
    })
  })

  it('that the step does not request are refused', () => {
    const checked = checkAttributes(rulesFor(['/name']), [{ pointer: '/gender', value: 'f' }])
    expect(checked).toEqual({
      causes: [
        { location: '/attributes', kind: 'contains', details: { actual: 0, min: 1 } },
        {
          location: '/attributes/0/pointer',
          kind: 'enum',
          details: { expected: ['/name'], actual: '/gender' },
        },
      ],
    })
  })

  it.each<[string, Json | undefined, object[]]>([
    [
      'nothing',
      undefined,
      [
        {
          location: '/attributes',
          kind: 'type',
          details: { expected: ['array'], actual: ['null'] },
        },
      ],
    ],
    [
      'a text',
      'x',
      [
        {
          location: '/attributes',
          kind: 'type',
          details: { expected: ['array'], actual: ['string'] },
        },
      ],
    ],
    [
      'a list of strings',
      ['x'],
      [
        {
          location: '/attributes/0',
          kind: 'type',
          details: { expected: ['object'], actual: ['string'] },
        },
      ],
    ],
    [
      'an attribute without a value',
      [{ pointer: '/name' }],
      [
        {
          location: '/attributes/0',
          kind: 'required',
          details: { actual: ['pointer'], expected: ['pointer', 'value'], missing: ['value'] },
        },
      ],
    ],
    [
      'a pointer that is not a string',
      [{ pointer: 1, value: 'x' }],
      [
        {
          location: '/attributes/0/pointer',
          kind: 'type',
          details: { expected: ['string'], actual: ['integer', 'number'] },
        },
      ],
    ],
    [
      'more than the step has',
      Array.from({ length: 100_000 }, () => ({ pointer: '/gender', value: 1 })),
      [{ location: '/attributes', kind: 'maxItems', details: { expected: 1, actual: 100_000 } }],
    ],
  ])('are not %s', (_what, given, causes) => {
    expect(checkAttributes(rulesFor([], ['/name']), given)).toEqual({ causes })
  })

  it('that are given twice take the last value', () => {
    const rules = rulesFor([], ['/name', '/gender'])
    const twice = ['Maya', 'Lena'].map((value) => ({ pointer: '/name', value }))
    expect(checkAttributes(rules, twice)).toEqual({
      attributes: [{ pointer: '/name', value: 'Lena' }, { pointer: '/gender' }],
    })
  })

  it('report all invalid values', () => {
    const checked = checkAttributes(rulesFor([], ['/birthdate', '/x_age']), [
      { pointer: '/x_age', value: 'old' },
      { pointer: '/birthdate', value: 'May' },
    ])
    expect(checked).toMatchObject({
      causes: [
        { location: '/attributes/0/value', kind: 'type' },
        { location: '/attributes/1/value', kind: 'format' },
      ],
    })
  })
})

describe('the value of an attribute', () => {
  it.each<[string, Json]>([
    ['/name', 'Maya Lin'],
    ['/given_name', 'Maya'],
    ['/family_name', 'Lin'],
    ['/middle_name', 'Ying'],
    ['/nickname', 'm'],
    ['/gender', 'any'],
    ['/picture', 'avatars/1.png'],
    ['/profile', 'https://maya.example/me'],
    ['/website', 'https://maya.example'],
    ['/birthdate', '--05-17'],
    ['/zoneinfo', 'Asia/Singapore'],
    ['/locale', 'zh-Hant-TW'],
    ['/address', { formatted: '1 Harbour Road', country: 'SG' }],
    ['/address', {}],
    ['/address/locality', 'Singapore'],
    ['/email', 'lena@x.io'],
    ['/phone_number', '+6591234567'],
    ['/x_nick', 'm'],
    ['/x_height', 1.62],
    ['/x_age', 18],
    ['/x_size', 'M'],
    ['/x_mobile', '+85251000000'],
    ['/x_work', 'maya@work.example'],
    ['/x_page', 'http://maya.example'],
    ['/x_country', 'SG'],
  ])('of %s may be %j', (pointer, value) => {
    expect(causesOf(pointer, value)).toEqual([])
    expect(checkAttributes(rulesFor([pointer]), [{ pointer, value }])).toEqual({
      attributes: [{ pointer, value }],
    })
  })

  it.each([
    ['/profile', 'maya.example', 'uri'],
    ['/website', 'javascript:alert(1)', 'uri'],
    ['/birthdate', '1990-13-01', 'birthdate'],
    ['/zoneinfo', 'Singapore', 'timezone'],
    ['/locale', 'english_GB', 'bcp47'],
    ['/x_mobile', '+65 9123 4567', 'phone'],
    ['/x_work', 'Maya <maya@x.io>', 'email'],
    ['/x_page', '/me', 'uri'],
    ['/x_country', 'Singapore', 'iso3166-1-alpha-2'],
  ])('of %s may not be %s: format %s', (pointer, value, name) => {
    expect(causesOf(pointer, value)).toEqual(format(name))
  })

  it.each(['/name', '/website', '/birthdate', '/address/country', '/x_nick', '/x_work'])(
    'of %s is a non-empty string',
    (pointer) => {
      const location = '/attributes/0/value'
      expect(causesOf(pointer, '')).toEqual([
        { location, kind: 'minLength', details: { expected: 1, actual: 0 } },
      ])
      expect(causesOf(pointer, null)).toEqual([
        { location, kind: 'type', details: { expected: ['string'], actual: ['null'] } },
      ])
    },
  )

  it.each<[string, Json, string, object]>([
    ['/x_age', 17, 'minimum', { minimum: 18, actual: 17 }],
    ['/x_age', 131, 'maximum', { maximum: 130, actual: 131 }],
    ['/x_age', 18.5, 'type', { expected: ['integer'], actual: ['number'] }],
    ['/x_height', 0.4, 'minimum', { minimum: 0.5, actual: 0.4 }],
    ['/x_size', 'L', 'enum', { expected: ['S', 'M'], actual: 'L' }],
    ['/email', 'eve@x.io', 'enum', { expected: ['maya@x.io', 'lena@x.io'], actual: 'eve@x.io' }],
    ['/preferred_username', 'maya', 'enum', { expected: [], actual: 'maya' }],
    ['/address', 'Singapore', 'type', { expected: ['object'], actual: ['string'] }],
    ['/address', ['Singapore'], 'type', { expected: ['object'], actual: ['array'] }],
  ])('of %s may not be %j: %s', (pointer, value, kind, details) => {
    expect(causesOf(pointer, value)).toEqual([{ location: '/attributes/0/value', kind, details }])
  })

  it('is reported at its location, also within an address', () => {
    const causes = causesOf('/address', { country: '', region: 1, formatted: 'x'.repeat(5_000) })
    expect(causes).toHaveLength(3)
    expect(causes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ location: '/attributes/0/value/country', kind: 'minLength' }),
        expect.objectContaining({ location: '/attributes/0/value/region', kind: 'type' }),
        expect.objectContaining({ location: '/attributes/0/value/formatted', kind: 'maxLength' }),
      ]),
    )
  })

  it('has at most 4096 characters', () => {
    expect(causesOf('/name', 'x'.repeat(4_096))).toEqual([])
    expect(causesOf('/name', 'x'.repeat(4_097))).toEqual([
      {
        location: '/attributes/0/value',
        kind: 'maxLength',
        details: { expected: 4_096, actual: 4_097 },
      },
    ])
  })

  it('loses unknown members of an address', () => {
    const value = JSON.parse('{"country":"SG","planet":"Earth","__proto__":{"a":1}}')
    expect(checkAttributes(rulesFor(['/address']), [{ pointer: '/address', value }])).toEqual({
      attributes: [{ pointer: '/address', value: { country: 'SG' } }],
    })
  })

  it('may be nested to any depth', () => {
    const deep = JSON.parse(`${'{"formatted":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    expect(causesOf('/address', deep)).toMatchObject([{ kind: 'type' }])
    expect(causesOf('/name', deep)).toMatchObject([{ kind: 'type' }])
    expect(causesOf('/x_size', deep)).toMatchObject([{ kind: 'type' }])
  })

  it('never makes the check throw', () => {
    const pointers = [
      '/name',
      '/address',
      '/email',
      '/zoneinfo',
      ...custom.map(({ pointer }) => pointer),
    ]
    const attribute = fc.record({
      pointer: fc.constantFrom(...pointers, '/x'),
      value: fc.jsonValue(),
    })
    const given = fc.oneof(fc.array(attribute, { maxLength: 3 }), fc.jsonValue())
    fc.assert(
      fc.property(given, (value) => {
        const checked = checkAttributes(rulesFor([], pointers), JSON.parse(JSON.stringify(value)))
        expect(
          'causes' in checked ? checked.causes.length : checked.attributes.length,
        ).toBeGreaterThan(0)
      }),
      { numRuns: runsOf(100) },
    )
  })
})

describe('a profile', () => {
  const profile = {
    standard_attributes: { name: 'Maya', address: { country: 'SG', locality: 'Singapore' } },
    custom_attributes: { x_age: 44 },
  }

  it('changes at the given pointers', () => {
    const changes = [
      { pointer: '/nickname', value: 'm' },
      { pointer: '/name' },
      { pointer: '/address/region', value: 'Central' },
      { pointer: '/address/locality' },
      { pointer: '/x_size', value: 'M' },
      { pointer: '/x_age' },
    ]
    expect(changeAttributes(profile, changes)).toEqual({
      standard_attributes: { nickname: 'm', address: { country: 'SG', region: 'Central' } },
      custom_attributes: { x_size: 'M' },
    })
    expect(profile.standard_attributes.name).toBe('Maya')
  })

  it('has no empty address', () => {
    const changes = [{ pointer: '/address/country' }, { pointer: '/address/locality' }]
    expect(changeAttributes(profile, changes).standard_attributes).toEqual({ name: 'Maya' })
    expect(changeAttributes(profile, [{ pointer: '/address' }]).standard_attributes).toEqual({
      name: 'Maya',
    })
  })

  it('gets an address with its first member', () => {
    const none = { standard_attributes: {}, custom_attributes: {} }
    expect(changeAttributes(none, [{ pointer: '/address/country', value: 'SG' }])).toEqual({
      standard_attributes: { address: { country: 'SG' } },
      custom_attributes: {},
    })
    expect(changeAttributes(none, [{ pointer: '/address/country' }])).toEqual(none)
  })

  it('keeps attributes without a change', () => {
    expect(changeAttributes(profile, [])).toEqual(profile)
  })
})

it('pointers distinguish standard attributes from others', () => {
  for (const pointer of ['/name', '/email', '/address', '/address/country']) {
    expect(isStandardPointer(pointer)).toBe(true)
  }
  for (const pointer of ['/x_age', 'name', '/address/planet', '/constructor', '']) {
    expect(isStandardPointer(pointer)).toBe(false)
  }
})
