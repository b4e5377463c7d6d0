/** Starts Swagger UI in the browser: in the colours of the system, with the errors of an operation folded away. */
export const startScript = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', colour)
colour()

const foldErrors = () => ({
  wrapComponents: {
    responses: (Responses, { React }) => function FoldedResponses(properties) {
      const [isOpen, setOpen] = React.useState(false)
      const errors = properties.responses.keySeq().filter((status) => Number(status) >= 400).toArray()
      const fold = React.createElement(
        'button',
        { type: 'button', className: 'fold-errors', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
        (isOpen ? 'Hide the errors' : 'Show the errors') + ' (' + errors.join(', ') + ')',
      )
      return React.createElement(
        'div',
        { className: isOpen ? '' : 'errors-folded' },
        React.createElement(Responses, properties),
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
