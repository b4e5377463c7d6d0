import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { IsFlagText, IsText, Optional } from '../platform/http/input/fields.js'

@ApiSchema({ name: 'SignIn', description: 'A token or a code.' })
export class SignIn {
  @ApiPropertyOptional({ description: 'The whole value of a token.', example: 'lsk_live_…' })
  @Optional()
  @IsText(1, 400)
  token?: string

  @ApiPropertyOptional({ description: 'What stands behind `#code=` in the address that the command prints.' })
  @Optional()
  @IsText(1, 400)
  code?: string
}

export class EndSession {
  @ApiPropertyOptional({ description: 'Whether all sessions of its token end. Absent: false.' })
  @Optional()
  @IsFlagText()
  all?: string
}
