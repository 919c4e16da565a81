import { html } from 'hono/html'
import type { Problem } from '../problem.ts'
import type { Notice } from '../step-cookies.ts'
import type { Field, StepForm, StepPage } from '../steps/step-page.ts'
import { wordsOf } from '../words.ts'
import { type Html, layout, linkList } from './layout.ts'

/** The page of a step, with the problems of the last input. */
export function renderStep(page: StepPage, notice: Notice): Html {
  const hasProblems = notice.problems.length > 0
  const isAlone = page.forms.length === 1
  return layout({
    title: page.title,
    hasProblems,
    body: html`
${hasProblems ? renderProblems(page, notice) : ''}
${page.text === undefined ? '' : html`<p>${page.text}</p>`}
${page.body ?? ''}
${page.forms.map((form, index) => renderForm(form, `${index}`, notice, isAlone))}
${linkList(page.links ?? [])}`,
    ...(page.onwardTo === undefined || hasProblems ? {} : { onwardTo: page.onwardTo }),
  })
}

const idOf = (form: string, name: string): string => `form${form}-${name.replaceAll('/', '-')}`

/** All problems, at the top. The summary has the focus, so that screen readers read it first, and links to the fields. */
function renderProblems({ forms }: StepPage, { form, problems }: Notice): Html {
  const fields = forms[Number(form)]?.fields ?? []
  const items = problems.map((problem) => {
    const isShown = fields.some(({ name }) => name === problem.field)
    if (!isShown) return html`<li>${wordsOf(problem)}</li>`
    return html`<li><a href="#${idOf(form, problem.field ?? '')}">${wordsOf(problem)}</a></li>`
  })
  return html`<div class="problems" role="alert" tabindex="-1" autofocus aria-labelledby="problems">
<h2 id="problems">There is a problem</h2>
<ul>${items}</ul>
</div>`
}

function renderForm(form: StepForm, index: string, notice: Notice, isAlone: boolean): Html {
  const own = notice.form === index ? notice : undefined
  const { hidden, fields = [], checkbox, button, passkey, sentOnEventOf: events } = form
  const heading = isAlone ? undefined : form.heading
  const attributes = [
    heading === undefined ? '' : html` aria-label="${heading}"`,
    events === undefined ? '' : html` data-sent-on-event-of="${events}"`,
    passkey === undefined ? '' : html` hidden data-passkey="${passkey.does}"`,
    passkey === undefined ? '' : html` data-options="${JSON.stringify(passkey.options)}"`,
  ]
  return html`<form method="post"${attributes}>
${heading === undefined ? '' : html`<h2>${heading}</h2>`}
<input type="hidden" name="_form" value="${index}">
${Object.entries(hidden).map(renderHidden)}
${fields.map((field) => renderField(field, index, own))}
${checkbox === undefined ? '' : renderCheckbox(checkbox, index)}
<button type="submit">${button}</button>
${passkey === undefined ? '' : html`<p role="alert"></p>`}
</form>
${passkey === undefined ? '' : html`<noscript><p>Passkeys need JavaScript, which is off in this browser.</p></noscript>`}`
}

function renderHidden([name, value]: [string, string | number | true]): Html {
  return html`<input type="hidden" name="${name}" value="${String(value)}">`
}

function renderField(field: Field, form: string, notice: Notice | undefined): Html {
  const { name, label, type = 'text', autocomplete, hint, isNumber = false } = field
  const id = idOf(form, name)
  const problems = (notice?.problems ?? []).filter((problem) => problem.field === name)
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problems.length === 0 ? [] : [`${id}-problem`]),
  ]
  const attributes = [
    described.length === 0 ? '' : html` aria-describedby="${described.join(' ')}"`,
    problems.length === 0 ? '' : html` aria-invalid="true"`,
    isNumber ? html` inputmode="numeric"` : '',
    field.isOptional === true ? '' : html` required`,
    name.startsWith('/') ? '' : html` autocapitalize="none" spellcheck="false"`,
  ]
  const value = type === 'password' ? '' : (notice?.typed.get(name) ?? '')
  return html`<div class="field">
<label for="${id}">${label}${field.isOptional === true ? ' (optional)' : ''}</label>
${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${problems.length === 0 ? '' : renderFieldProblems(problems, `${id}-problem`)}
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${attributes}>
</div>`
}

function renderFieldProblems(problems: readonly Problem[], id: string): Html {
  return html`<p class="problem" id="${id}">${problems.map(wordsOf).join(' ')}</p>`
}

function renderCheckbox({ name, label }: { name: string; label: string }, form: string): Html {
  const id = idOf(form, name)
  return html`<div class="checkbox">
<input id="${id}" name="${name}" type="checkbox" value="true">
<label for="${id}">${label}</label>
</div>`
}
