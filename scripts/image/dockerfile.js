/** Reads a Dockerfile. Knows only the instructions that ours has. */
import { readFileSync } from 'node:fs'

const known = /^(?:ARG|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|USER|WORKDIR)$/

/**
 * Returns the stages in their order. A stage has the name, the base, which is an image or an earlier stage, its steps,
 * which are instructions with their text, and whether it is built for the platform of the builder.
 */
export function readStages(file) {
  const stages = []
  for (const { instruction, text } of readInstructions(file)) {
    if (instruction !== 'FROM') {
      stages.at(-1).steps.push({ instruction, text })
      continue
    }
    const [, platform, base, name] = /^(--platform=\$BUILDPLATFORM )?(\S+) AS (\S+)$/.exec(text)
    stages.push({ name, base, steps: [], isForBuilder: platform !== undefined })
  }
  return stages
}

function readInstructions(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [, instruction, text] = /^(\S+) (.*)$/.exec(line)
      if (!known.test(instruction)) throw new Error(`Unknown instruction: ${line}`)
      return { instruction, text }
    })
}

/** Splits `A=1 B="2 3"`. */
export function readPairs(text, variables = {}) {
  return Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => [
      name,
      (quoted ?? plain).replaceAll(/\$(\w+)/g, (_all, variable) => variables[variable] ?? ''),
    ]),
  )
}

/** Returns the configuration of the image of a stage, which includes that of its base. */
export function configOf(stages, name) {
  const stage = stages.find((each) => each.name === name)
  if (!stage)
    return { env: {}, labels: {}, args: {}, user: '0:0', workdir: '/', entrypoint: [], healthcheck: [] }
  const config = configOf(stages, stage.base)
  for (const { instruction, text } of stage.steps) {
    if (instruction === 'ENV') Object.assign(config.env, readPairs(text))
    if (instruction === 'ARG') Object.assign(config.args, readPairs(text))
    if (instruction === 'LABEL') Object.assign(config.labels, readPairs(text, config.args))
    if (instruction === 'USER') config.user = text
    if (instruction === 'WORKDIR') config.workdir = text
    if (instruction === 'ENTRYPOINT') config.entrypoint = JSON.parse(text)
    if (instruction === 'HEALTHCHECK') config.healthcheck = JSON.parse(/ CMD (\[.*\])$/.exec(text)[1])
  }
  return config
}
