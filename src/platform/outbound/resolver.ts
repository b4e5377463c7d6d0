/** From a host to the addresses that may be connected to. The caller connects to these and asks nobody again. */
import { lookup } from 'node:dns/promises'

import type { Network } from '../config/rules.js'
import { mayConnect, writtenAddresses } from './address-rules.js'
import { Failure } from './outcome.js'

export type LookUp = (hostname: string) => Promise<readonly string[]>

/** The injection token of another way to look names up; without it the system is asked. */
export const LOOK_UP = Symbol('look up')

const systemLookUp: LookUp = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

export class Resolver {
  private readonly underWay = new Map<string, Promise<readonly string[]>>()

  constructor(
    private readonly allowed: readonly Network[],
    private readonly lookUp: LookUp = systemLookUp,
  ) {}

  /** Addresses that stand in the url itself; null for a name. */
  written(hostname: string): readonly string[] | null {
    const open = writtenAddresses(hostname)?.filter((address) => mayConnect(address, this.allowed))
    if (open?.length === 0) throw blocked(`${hostname} is a private or reserved address`)
    return open ?? null
  }

  async resolve(hostname: string): Promise<readonly string[]> {
    const addresses = await this.lookUpOnce(hostname).catch((error: unknown) => {
      throw unresolved(hostname, error)
    })
    if (addresses.length === 0) throw new Failure('dns', `The name ${hostname} has no address.`)
    // One forbidden address is enough to refuse a name: a mix of public and private addresses is how attackers get in.
    if (!addresses.every((address) => mayConnect(address, this.allowed)))
      throw blocked(`The name ${hostname} leads into a private or reserved network`)
    return addresses
  }

  /** Connections that open at the same time share one look-up: the system does only a few at once. */
  private lookUpOnce(hostname: string): Promise<readonly string[]> {
    const running = this.underWay.get(hostname)
    if (running) return running
    const started = this.lookUp(hostname).finally(() => this.underWay.delete(hostname))
    this.underWay.set(hostname, started)
    return started
  }
}

/** The message leaves the address out: a caller must not learn what exists in the inner network. */
function blocked(what: string): Failure {
  return new Failure('blocked_address', `${what}; only public addresses are called.`)
}

function unresolved(hostname: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'ENODATA')
    return new Failure('dns', `The name ${hostname} does not exist.`)
  if (code === 'EAI_AGAIN')
    return new Failure('dns', `The name ${hostname} could not be looked up: its name server did not answer.`)
  return new Failure('dns', `The name ${hostname} could not be looked up.`)
}
