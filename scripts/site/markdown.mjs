// How VitePress renders our Markdown: with the anchors of GitHub, and without expressions of Vue.
import { anchorOf } from '../doc-links.mjs'

/** Text and code of templates contains `{{ … }}`, which Vue would evaluate. */
const withoutExpressions = (html) => html.replaceAll('{{', '&#123;&#123;')

export const markdown = {
  anchor: { slugify: anchorOf },
  config({ renderer: { rules }, utils }) {
    for (const name of ['text', 'code_inline']) {
      const render = rules[name]
      rules[name] = (...args) => withoutExpressions(render(...args))
    }
    // Authors write no HTML, apart from the pictures that `pages.mjs` makes.
    for (const name of ['html_inline', 'html_block']) {
      const render = rules[name]
      rules[name] = (tokens, index, ...rest) => {
        const html = render(tokens, index, ...rest)
        return /^<(?:img|a|\/a|br)\b/.test(html.trim()) ? html : utils.escapeHtml(html)
      }
    }
  },
}
