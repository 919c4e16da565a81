import { sprint } from '../format/sprint.ts'
import { anyParameter, templateFunction, variadicFunction } from '../make-function.ts'
import type { Functions, TemplateFunction } from '../value.ts'
import { evalArgsName } from './escape-pipe.ts'
import type { EscaperName } from './escaper-name.ts'
import { type Content, contentOf } from './escapers/content.ts'
import { escapeCss, filterCssValue } from './escapers/css-escapers.ts'
import {
  escapeJsRegexp,
  escapeJsString,
  escapeJsTemplate,
  escapeJsValue,
} from './escapers/js-escapers.ts'
import { escapeUrl, filterSrcset, filterUrl, normalizeUrl } from './escapers/url-escapers.ts'
import {
  escapeAttribute,
  escapeHtml,
  escapeRcdata,
  escapeUnquoted,
  filterAttributeName,
} from './html-escapers.ts'

const escapers: Readonly<Record<EscaperName, TemplateFunction>> = {
  _html_template_attrescaper: escaper(escapeAttribute),
  _html_template_commentescaper: escaper(() => ''),
  _html_template_cssescaper: escaper(escapeCss),
  _html_template_cssvaluefilter: escaper(filterCssValue),
  _html_template_htmlescaper: escaper(escapeHtml),
  _html_template_htmlnamefilter: escaper(filterAttributeName),
  _html_template_jsregexpescaper: escaper(escapeJsRegexp),
  _html_template_jsstrescaper: escaper(escapeJsString),
  _html_template_jstmpllitescaper: escaper(escapeJsTemplate),
  _html_template_jsvalescaper: templateFunction([anyParameter], ([value], run) =>
    escapeJsValue(value, run),
  ),
  _html_template_nospaceescaper: escaper(escapeUnquoted),
  _html_template_rcdataescaper: escaper(escapeRcdata),
  _html_template_srcsetescaper: escaper(filterSrcset),
  _html_template_urlescaper: escaper(escapeUrl),
  _html_template_urlfilter: escaper(filterUrl),
  _html_template_urlnormalizer: escaper(normalizeUrl),
}

/** The functions in escaped templates beside those of the author. */
export const escaperFunctions: Functions = new Map([
  ...Object.entries(escapers),
  [evalArgsName, variadicFunction([], anyParameter, (_, values, run) => sprint(run, values))],
])

function escaper(write: (content: Content) => string): TemplateFunction {
  return templateFunction([anyParameter], ([value], run) => write(contentOf(value, run)))
}
