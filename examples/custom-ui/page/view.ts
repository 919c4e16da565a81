import type { Flow } from '@gatehouse/client'

/** A page: its title, its forms, and what is beside them. */
export interface View {
  readonly title: string
  readonly text?: string
  /** Texts to copy or keep. */
  readonly codes?: readonly string[]
  readonly links?: readonly Link[]
  readonly forms?: readonly Form[]
}

/** The text of a link, and where it leads. */
export type Link = readonly [text: string, href: string]

/** A form. */
export interface Form {
  readonly heading?: string
  readonly fields?: readonly Field[]
  /** The label of a checkbox. */
  readonly checkbox?: string
  readonly button: string
  /** Returns the flow at its next prompt; nothing if it has shown something itself. */
  submit(entered: Entered): Promise<Flow | undefined>
}

/** The user's input: the texts of the fields in order, and the state of the checkbox. */
export interface Entered {
  readonly texts: readonly string[]
  readonly isChecked: boolean
}

/** A field with a text. */
export interface Field {
  readonly label: string
  readonly type?: 'email' | 'tel' | 'password'
  readonly autocomplete: string
}

type Child = Node | string | undefined

/** Creates an element; attributes that are `undefined` are left out. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** Shows a page. `onSubmit` gets what a form is about to do. */
export function show(view: View, onSubmit: (form: number, entered: Entered) => void): void {
  const { title, text, codes = [], links = [], forms = [] } = view
  document.title = `${title} · Harborlight`
  const list = (items: readonly Child[], className: string): Child =>
    items.length === 0
      ? undefined
      : element('ul', { class: className }, ...items.map((item) => element('li', {}, item)))
  const main = document.querySelector('main')
  main?.replaceChildren(
    element('h1', {}, title),
    ...[
      text === undefined ? undefined : element('p', {}, text),
      list(
        codes.map((code) => element('code', {}, code)),
        'codes',
      ),
      ...forms.map((form, index) => formOf(form, index, onSubmit)),
      list(
        links.map(([label, href]) => element('a', { href }, label)),
        'links',
      ),
    ].filter((child) => child !== undefined),
  )
}

function formOf(
  { heading, fields = [], checkbox, button }: Form,
  index: number,
  onSubmit: (form: number, entered: Entered) => void,
): HTMLElement {
  const inputs = fields.map(({ type, autocomplete }, at) => {
    const input = document.createElement('input')
    Object.assign(input, { id: `field-${index}-${at}`, type: type ?? 'text', required: true })
    input.setAttribute('autocomplete', autocomplete)
    return input
  })
  const box = document.createElement('input')
  Object.assign(box, { id: `box-${index}`, type: 'checkbox' })
  const form = element(
    'form',
    { method: 'post' },
    heading === undefined ? undefined : element('h2', {}, heading),
    ...inputs.map((input, at) =>
      element(
        'div',
        { class: 'field' },
        element('label', { for: input.id }, fields[at]?.label),
        input,
      ),
    ),
    checkbox === undefined
      ? undefined
      : element('div', { class: 'checkbox' }, box, element('label', { for: box.id }, checkbox)),
    element('button', {}, button),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onSubmit(index, { texts: inputs.map(({ value }) => value.trim()), isChecked: box.checked })
  })
  return form
}

/** Shows problems of a form above everything else, where screen readers begin. */
export function showProblems(problems: readonly string[], form: number): void {
  document.querySelector('[role=alert]')?.remove()
  document.title = `Problem: ${document.title.replace(/^Problem: /, '')}`
  const input = document.querySelector<HTMLInputElement>(`#field-${form}-0`)
  const id = 'problem'
  if (input?.type === 'password') input.value = ''
  input?.setAttribute('aria-invalid', 'true')
  input?.setAttribute('aria-describedby', id)
  const items = problems.map((text) =>
    element('li', {}, input === null ? text : element('a', { href: `#${input.id}` }, text)),
  )
  const attributes = { id, class: 'problems', role: 'alert', tabindex: '-1' }
  const alert = element('div', attributes, element('ul', {}, ...items))
  document.querySelector('h1')?.before(alert)
  alert.focus()
}
