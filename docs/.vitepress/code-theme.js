/** Colors code with classes, because the content security policy of the service blocks inline styles. */

const scopes = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string'],
  number: ['constant.numeric', 'constant.language', 'constant.character.escape'],
  keyword: ['keyword', 'storage'],
  function: ['entity.name.function', 'support.function'],
  name: [
    'entity.name.tag',
    'entity.name.type',
    'support.type.property-name',
    'variable.other.assignment.shell',
  ],
}
const names = Object.keys(scopes)

/** Each color of this theme is the number of a class. `classNames` replaces the colors. */
export const codeTheme = {
  name: 'classes',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: names.map((name, index) => ({
    scope: scopes[name],
    settings: { foreground: `#00000${index + 1}` },
  })),
}

/** A transformer of Shiki. */
export const classNames = {
  name: 'class-names',
  span(node) {
    const index = /color:#00000([1-9])/.exec(node.properties.style)?.[1]
    delete node.properties.style
    if (index) this.addClassToHast(node, `code-${names[index - 1]}`)
  },
  pre(node) {
    delete node.properties.style
  },
}
