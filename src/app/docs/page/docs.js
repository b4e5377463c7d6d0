/* Starts Swagger UI with plugins: code samples in tabs, and folded error responses. */
/* global SwaggerUIBundle, document, localStorage, navigator, window */
const copiedMs = 1500

/** Copies text, and shows the outcome on the button. */
async function copyText(text, show) {
  try {
    // The clipboard is only available over HTTPS and on localhost.
    await navigator.clipboard.writeText(text)
    show('Copied')
  } catch {
    show('Copy failed. Select and copy the text.')
  }
  setTimeout(() => show('Copy'), copiedMs)
}

/** Adds a copy button to each code block of the introduction. */
for (const block of document.querySelectorAll('.intro pre')) {
  const text = block.textContent
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () => void copyText(text, (label) => (button.textContent = label)))
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

/** The chosen language of all code samples. The browser remembers it. */
const languageKey = 'docs-language'
const languageListeners = new Set()
let language = null
try {
  language = localStorage.getItem(languageKey)
} catch {
  // Storage is blocked, so the choice lasts until the page is closed.
}

function setLanguage(label) {
  language = label
  for (const listener of languageListeners) listener(label)
  try {
    localStorage.setItem(languageKey, label)
  } catch {
    // Storage is blocked.
  }
}

const highlighted =
  /('(?:[^'\\]|\\.)*'|"[^"\n]*")|\b(const|await|for|of|import|from|new|curl)\b(?![^\n]*': )/g

/** Returns the source as elements, with colors for strings and keywords. */
function highlight(source, React) {
  const parts = []
  let end = 0
  for (const match of source.matchAll(highlighted)) {
    parts.push(source.slice(end, match.index))
    const className = match[1] === undefined ? 'keyword' : 'string'
    parts.push(React.createElement('span', { className, key: match.index }, match[0]))
    end = match.index + match[0].length
  }
  return [...parts, source.slice(end)]
}

function createCodeSamples(React) {
  const element = React.createElement

  return function CodeSamples({ id, samples }) {
    const [chosen, setChosen] = React.useState(language)
    const [copyLabel, setCopyLabel] = React.useState('Copy')
    React.useEffect(() => {
      languageListeners.add(setChosen)
      return () => languageListeners.delete(setChosen)
    }, [])
    const shown = samples.find(({ label }) => label === chosen) ?? samples[0]
    const chooseNext = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!step) return
      const index = (samples.indexOf(shown) + step + samples.length) % samples.length
      setLanguage(samples[index].label)
      event.currentTarget.children[index].focus()
    }
    const tabs = samples.map((sample) =>
      element(
        'button',
        {
          key: sample.label,
          type: 'button',
          role: 'tab',
          'aria-selected': sample === shown,
          'aria-controls': `${id}-sample`,
          tabIndex: sample === shown ? 0 : -1,
          onClick: () => setLanguage(sample.label),
        },
        sample.label,
      ),
    )
    const copy = {
      type: 'button',
      className: 'copy',
      'aria-live': 'polite',
      onClick: () => void copyText(shown.source, setCopyLabel),
    }
    return element(
      'div',
      { className: 'samples' },
      element(
        'div',
        { className: 'samples-bar' },
        element('div', { role: 'tablist', 'aria-label': 'Language', onKeyDown: chooseNext }, tabs),
        element('button', copy, copyLabel),
      ),
      element(
        'pre',
        { id: `${id}-sample`, role: 'tabpanel', tabIndex: 0, 'aria-label': shown.label },
        element('code', null, highlight(shown.source, React)),
      ),
    )
  }
}

/** Shows the samples of `x-codeSamples` above the parameters of an operation. */
const codeSamples = ({ React }) => {
  const CodeSamples = createCodeSamples(React)
  return {
    wrapComponents: {
      parameters: (Parameters) =>
        function ParametersWithSamples(properties) {
          const samples = properties.operation.get('x-codeSamples')?.toJS() ?? []
          const id = properties.operation.get('operationId')
          return React.createElement(
            React.Fragment,
            null,
            samples.length > 0 ? React.createElement(CodeSamples, { id, samples }) : null,
            React.createElement(Parameters, properties),
          )
        },
    },
  }
}

const isError = (_response, status) => Number(status) >= 400

/** Hides the error responses of an operation behind a button. */
const foldErrors = ({ React }) => ({
  wrapComponents: {
    responses: (Responses) =>
      function FoldedResponses(properties) {
        const [isOpen, setOpen] = React.useState(false)
        const all = properties.responses
        const errors = all.filter(isError).keySeq().toArray()
        const fold = React.createElement(
          'button',
          {
            type: 'button',
            className: 'fold-errors',
            'aria-expanded': isOpen,
            onClick: () => setOpen(!isOpen),
          },
          `${isOpen ? 'Hide errors' : 'Show errors'} (${errors.join(', ')})`,
        )
        return React.createElement(
          'div',
          null,
          React.createElement(Responses, {
            ...properties,
            responses: isOpen ? all : all.filterNot(isError),
          }),
          errors.length > 0 ? fold : null,
        )
      },
  },
})

/** Hides tags without operations: the requests to webhooks have their own section. */
const hideEmptyTags = ({ React }) => ({
  wrapComponents: {
    OperationTag: (OperationTag) =>
      function TagWithOperations(properties) {
        const isEmpty = properties.tagObj.get('operations').size === 0
        return isEmpty ? null : React.createElement(OperationTag, properties)
      },
  },
})

/** Hides the description of the document, because the page has its own introduction. */
const hideInfo = () => ({ wrapComponents: { InfoContainer: () => () => null } })

const isDark = document.documentElement.classList.contains('dark-mode')

window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  plugins: [codeSamples, foldErrors, hideEmptyTags, hideInfo],
  syntaxHighlight: { theme: isDark ? 'nord' : 'idea' },
  validatorUrl: null,
})
