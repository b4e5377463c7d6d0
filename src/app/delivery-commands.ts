/** `link-service deliveries pause` and `resume`. */
import { Injectable } from '@nestjs/common'

import { DeliveryPauses, describePause } from '../deliveries/delivery-pause.js'
import { print } from '../platform/command-line/output.js'
import { UsageError } from '../platform/config/startup-error.js'
import { isPlainText } from '../platform/http/input/fields.js'
import { commandText } from '../platform/util/program.js'

const maxReasonLength = 200

@Injectable()
export class DeliveryCommands {
  constructor(private readonly pauses: DeliveryPauses) {}

  async pause({ reason }: { reason?: string | undefined }): Promise<void> {
    if (reason !== undefined && !isPlainText(reason, 1, maxReasonLength))
      throw new UsageError(`--reason must be 1 to ${maxReasonLength} characters long.`)
    const pause = await this.pauses.startPause(reason ?? null)
    print(
      describePause(pause),
      `Requests in flight will finish. To send the waiting deliveries: ${commandText('deliveries resume')}`,
    )
  }

  async resume(): Promise<void> {
    const pause = await this.pauses.endPause()
    print(
      pause
        ? `Resumed deliveries, which had been paused since ${pause.pausedAt.toISOString()}.`
        : 'Deliveries were not paused.',
    )
  }
}
