/** Starts programs in the folder of an image as Docker does with these options: read-only, no capabilities, a volume. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Prepares the file system, then becomes process 1 of the container. */
const enter = `
  mount --bind "$ROOT" "$ROOT"
  mount --bind "$DATA" "$ROOT/data"
  mount --types tmpfs tmpfs "$ROOT/tmp"
  mount --types proc proc "$ROOT/proc"
  mount --types tmpfs tmpfs "$ROOT/dev"
  mkdir "$ROOT/dev/shm"
  for device in null zero urandom; do touch "$ROOT/dev/$device"; mount --bind "/dev/$device" "$ROOT/dev/$device"; done
  mount --options remount,bind,ro "$ROOT"
  exec chroot "$ROOT" "$@"`

/** Becomes the user of the image, without capabilities. */
function asUser({ user, workdir, env }, variables, command) {
  const [uid, gid] = user.split(':')
  const all = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/data',
    ...env,
    ...variables,
  }
  const assignments = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  const confined = ['--clear-groups', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    ...confined,
    'env',
    '--ignore-environment',
    `--chdir=${workdir}`,
    ...assignments,
    ...command,
  ]
}

export class Container {
  constructor(root, config, { dataDir, variables, args = [] }) {
    this.config = config
    this.variables = variables
    this.output = ''
    this.startedAt = performance.now()
    const command = asUser(config, variables, [...config.entrypoint, ...args])
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
    this.process = spawn('unshare', [...namespaces, 'sh', '-ec', enter, 'enter', ...command], {
      env: { PATH: process.env.PATH, ROOT: root, DATA: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.process.stdout, this.process.stderr])
      stream.on('data', (text) => (this.output += text))
    this.ended = new Promise((resolve) => this.process.on('close', resolve))
  }

  /** The number of process 1 of the container in this machine. */
  get pid() {
    const { pid } = this.process
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
  }

  /** Resolves with the milliseconds from the start of the container. An emulated architecture takes minutes. */
  async waitFor(path) {
    const url = `http://127.0.0.1:${this.variables.PORT}${path}`
    for (const deadline = this.startedAt + 600_000; performance.now() < deadline; await setTimeout(20)) {
      if (this.process.exitCode !== null) break
      const response = await fetch(url).catch(() => null)
      if (response?.ok) return Math.round(performance.now() - this.startedAt)
    }
    throw new Error(`The container does not respond to ${path}:\n${this.output}`)
  }

  /** Runs a command in the container, like docker exec. Returns its output. */
  execute(...command) {
    const args = ['--mount', '--pid', '--root', '--', ...asUser(this.config, this.variables, command)]
    const { status, stdout, stderr } = spawnSync('nsenter', [`--target=${this.pid}`, ...args], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${command.join(' ')} failed (${status}): ${stdout}${stderr}`)
    return stdout
  }

  /** Sends a signal to process 1, and resolves with the exit code. */
  async signal(name) {
    process.kill(this.pid, name)
    return await this.ended
  }
}
