// Improvements for browsers that run scripts. The pages work without them.

/** Passkeys: the browser makes the credential, and the form sends it. In browsers without support the form stays hidden. */
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) continue
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const problem = form.querySelector('[role=alert]')
    problem.textContent = ''
    try {
      const [name, credential] = await askForPasskey(form.dataset)
      form.append(hiddenField(name, JSON.stringify(credential)))
      form.submit()
    } catch {
      // Browsers do not say whether the user declined or has no passkey.
      problem.textContent = 'No passkey was used. Try again, or choose another way.'
    }
  })
}

async function askForPasskey({ passkey, options }) {
  const json = JSON.parse(options)
  if (passkey === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
    return ['creation_response', await navigator.credentials.create({ publicKey })]
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
  return ['assertion_response', await navigator.credentials.get({ publicKey })]
}

function hiddenField(name, value) {
  return Object.assign(document.createElement('input'), { type: 'hidden', name, value })
}

/** Links in mails: the page continues by itself once the link was confirmed. */
for (const form of document.querySelectorAll('form[data-sent-on-event-of]')) {
  const events = new EventSource(form.dataset.sentOnEventOf)
  events.addEventListener('message', () => {
    events.close()
    form.requestSubmit()
  })
}
