/** Starts Swagger UI in the browser: in the colours of the system, with the errors of an operation folded away. */
export const startScript = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', colour)
colour()

const isError = (_response, status) => Number(status) >= 400
const foldErrors = () => ({
  wrapComponents: {
    responses: (Responses, { React }) => function FoldedResponses(properties) {
      const [isOpen, setOpen] = React.useState(false)
      const all = properties.responses
      const errors = all.filter(isError).keySeq().toArray()
      const fold = React.createElement(
        'button',
        { type: 'button', className: 'fold-errors', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
        (isOpen ? 'Hide the errors' : 'Show the errors') + ' (' + errors.join(', ') + ')',
      )
      return React.createElement(
        'div',
        null,
        React.createElement(Responses, { ...properties, responses: isOpen ? all : all.filterNot(isError) }),
        errors.length > 0 ? fold : null,
      )
    },
  },
})

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
  plugins: [foldErrors],
  validatorUrl: null,
})
`
