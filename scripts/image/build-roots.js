/** Performs the steps of a Dockerfile in folders with chroot, because no container engine may be installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

import { root as project, say } from '../fresh.js'
import { configOf } from './dockerfile.js'

const release = 'trixie'
/** Debian's names of the architectures. */
export const debianNames = { x64: 'amd64', arm64: 'arm64' }
const cache = join(homedir(), '.cache/link-service/image')
/** Additional certificate authorities of this machine, which npm needs behind a proxy. */
const authorities = '/etc/ssl/certs/ca-certificates.crt'

function run(command, args, options = {}) {
  return execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
}

/** Builds a stage and those that it uses for an architecture, and returns its folder. */
export function buildStage(stages, name, { folder, arch }) {
  const finished = join(folder, name)
  if (existsSync(finished)) return finished
  // Renamed after the last step, so that an interrupted stage does not look complete.
  const root = `${finished}.unfinished`
  rmSync(root, { recursive: true, force: true })
  const stage = stages.find((each) => each.name === name)
  const dependencies = stage.steps.flatMap(({ text }) => /^--from=(\S+)/.exec(text)?.[1] ?? [])
  for (const other of new Set(dependencies)) buildStage(stages, other, { folder, arch })
  const isStage = stages.some((each) => each.name === stage.base)
  const base = isStage
    ? buildStage(stages, stage.base, { folder, arch })
    : baseRoot(stage.base, stage.isForBuilder ? process.arch : arch)
  run('cp', ['--archive', '--reflink=auto', base, root])
  const config = configOf(stages, stage.base)
  for (const { instruction, text } of stage.steps) {
    if (instruction === 'ENV')
      Object.assign(config.env, configOf([{ ...stage, steps: [{ instruction, text }] }], name).env)
    if (instruction === 'USER') config.user = text
    if (instruction === 'WORKDIR') {
      config.workdir = text
      mkdirSync(join(root, text), { recursive: true })
    }
    if (instruction === 'COPY') copy(text, root, config.workdir, folder)
    if (instruction === 'RUN') {
      say(`${name}: ${text}`)
      runInRoot(root, config, text)
    }
  }
  renameSync(root, finished)
  return finished
}

function copy(text, root, workdir, folder) {
  const [, from, paths] = /^(?:--from=(\S+) )?(.+)$/.exec(text)
  const parts = paths.split(' ')
  const target = join(root, parts.at(-1).startsWith('/') ? '' : workdir, parts.at(-1))
  const source = from ? join(folder, from) : project
  for (const part of parts.slice(0, -1)) {
    const path = join(source, part)
    const isFolder = lstatSync(path).isDirectory()
    const copied = isFolder || !/[/.]$/.test(paths) ? target : join(target, basename(part))
    cpSync(path, copied, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: isInContext,
    })
    // Files of a build context belong to root.
    run('chown', ['--recursive', '--no-dereference', '0:0', copied])
  }
}

/** The rules of .dockerignore that apply below the copied folders. Stages contain node_modules. */
function isInContext(path) {
  if (!path.startsWith(project)) return true
  return !/\/node_modules(?:\/|$)|\.spec\.ts$|\/docs\/\.vitepress\/(?:cache|dist)(?:\/|$)/.test(
    path.slice(project.length - 1),
  )
}

function runInRoot(root, { env, user, workdir }, script) {
  const mounted = join(root, 'run/authorities.crt')
  if (existsSync(authorities)) cpSync(authorities, mounted)
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${join(root, 'proc')}`]
  run(
    'unshare',
    [...isolated, 'chroot', `--userspec=${user}`, root, '/bin/sh', '-c', `cd ${workdir} && ${script}`],
    {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        DEBIAN_FRONTEND: 'noninteractive',
        npm_config_loglevel: 'error',
        ...(existsSync(authorities) ? { NODE_EXTRA_CA_CERTS: '/run/authorities.crt' } : {}),
        ...env,
      },
    },
  )
  rmSync(mounted, { force: true })
}

/** Returns the folder of a base image, which debootstrap creates once. The Node.js image also has node and npm. */
function baseRoot(image, arch) {
  const debian = join(cache, `${release}-${arch}`)
  createOnce(debian, (draft) => {
    const options = ['--variant=minbase', `--arch=${debianNames[arch]}`]
    run('debootstrap', [...options, release, draft, 'http://deb.debian.org/debian'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    // As in the image debian:trixie-slim.
    for (const path of [
      'usr/share/man',
      'usr/share/locale',
      'usr/share/info',
      'var/cache/apt',
      'var/lib/apt/lists',
    ])
      rmSync(join(draft, path), { recursive: true, force: true })
    run('find', [join(draft, 'usr/share/doc'), '-type', 'f', '-not', '-name', 'copyright', '-delete'])
    for (const path of ['var/cache/apt/archives/partial', 'var/lib/apt/lists/partial'])
      mkdirSync(join(draft, path), { recursive: true })
  })
  if (image.startsWith(`debian:${release}-slim@`)) return debian
  const version = new RegExp(`^node:(\\d+)-${release}-slim@`).exec(image)?.[1]
  if (!version) throw new Error(`Unknown image: ${image}`)
  const node = join(cache, `node-${version}-${arch}`)
  createOnce(node, (draft) => {
    run('cp', ['--archive', '--reflink=auto', debian, draft])
    // The package contains the program of the official release.
    const name = `node-linux-${arch}`
    const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
      cwd: cache,
      encoding: 'utf8',
    })
    const archive = join(cache, packed.trim().split('\n').at(-1))
    run('tar', [
      '--extract',
      `--file=${archive}`,
      `--directory=${join(draft, 'usr/local')}`,
      '--strip-components=1',
      '--no-same-owner',
      'package/bin/node',
    ])
    rmSync(archive)
    const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
    cpSync(join(npm, 'npm'), join(draft, 'usr/local/lib/node_modules/npm'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    run('ln', ['--symbolic', '../lib/node_modules/npm/bin/npm-cli.js', join(draft, 'usr/local/bin/npm')])
  })
  return node
}

function createOnce(folder, create) {
  if (existsSync(folder)) return
  say(`Creating ${folder}`)
  mkdirSync(cache, { recursive: true })
  const draft = `${folder}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  create(draft)
  renameSync(draft, folder)
}
