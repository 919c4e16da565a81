// Runs in a page and returns its accessibility problems.
;(() => {
  const problems = []
  const check = (isGood, problem) => {
    if (!isGood) problems.push(problem)
  }
  const all = (selector) => [...document.querySelectorAll(selector)]
  const isShown = (element) => element.getClientRects().length > 0
  const nameOf = (element) => element.outerHTML.slice(0, 80)

  check(document.documentElement.lang !== '', 'the page has no language')
  check(document.title.trim() !== '', 'the page has no title')
  check(all('h1').length === 1, `the page has ${all('h1').length} h1`)
  check(all('main').length === 1, 'the page has no main part')

  const levels = all('h1, h2, h3, h4, h5, h6')
    .filter(isShown)
    .map(({ tagName }) => Number(tagName[1]))
  for (const [index, level] of levels.entries()) {
    check(level - (levels[index - 1] ?? level) <= 1, `a heading of level ${level} skips a level`)
  }

  const ids = all('[id]').map(({ id }) => id)
  for (const id of ids)
    check(ids.indexOf(id) === ids.lastIndexOf(id), `two elements have the id ${id}`)
  for (const attribute of ['aria-describedby', 'aria-labelledby', 'for']) {
    for (const element of all(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(' ')) {
        check(document.getElementById(id) !== null, `${attribute} names no element: ${id}`)
      }
    }
  }

  for (const input of all('input:not([type=hidden])')) {
    const label = [...input.labels].map(({ textContent }) => textContent.trim()).join(' ')
    check(label !== '', `no label: ${nameOf(input)}`)
    check(!input.hasAttribute('placeholder'), `a placeholder: ${nameOf(input)}`)
    check(
      input.type === 'checkbox' || input.autocomplete !== '',
      `no autocomplete: ${nameOf(input)}`,
    )
    const isDescribed = input.hasAttribute('aria-describedby')
    check(
      !input.hasAttribute('aria-invalid') || isDescribed,
      `invalid without a word: ${nameOf(input)}`,
    )
  }
  for (const element of all('a, button')) {
    check(element.textContent.trim() !== '', `no text: ${nameOf(element)}`)
  }
  for (const button of all('button').filter(isShown)) {
    check(button.getBoundingClientRect().height >= 24, `too small to touch: ${nameOf(button)}`)
  }
  for (const link of all('a[href^="#"]')) {
    check(document.getElementById(link.hash.slice(1)) !== null, `leads nowhere: ${nameOf(link)}`)
  }
  const [summary] = all('[role=alert][tabindex]')
  check(
    summary === undefined || summary === document.activeElement,
    'the error summary has no focus',
  )
  check(document.documentElement.scrollWidth <= window.innerWidth, 'the page is too wide')

  // WCAG 2.2, 1.4.3: the contrast of every text with its background.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const channelsOf = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (channels) => {
    const [r, g, b] = channels.map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const backgroundOf = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const channels = channelsOf(getComputedStyle(one).backgroundColor)
      if (channels[3] === 255) return channels
    }
    return channelsOf('Canvas')
  }
  const hasText = ({ childNodes }) =>
    [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')
  for (const element of all('body *').filter((one) => isShown(one) && hasText(one))) {
    const pair = [channelsOf(getComputedStyle(element).color), backgroundOf(element)].map(luminance)
    const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)
    check(contrast >= 4.5, `a contrast of ${contrast.toFixed(1)}: ${nameOf(element)}`)
  }
  return problems
})()
