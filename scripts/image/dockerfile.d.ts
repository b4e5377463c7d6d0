export interface Stage {
  name: string
  base: string
  steps: { instruction: string; text: string }[]
  isForBuilder: boolean
}

export interface ImageConfig {
  env: Record<string, string>
  labels: Record<string, string>
  args: Record<string, string>
  user: string
  workdir: string
  entrypoint: string[]
  healthcheck: string[]
}

export function readStages(file: string): Stage[]
export function configOf(stages: Stage[], name: string): ImageConfig
