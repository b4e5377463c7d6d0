import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger'

import { IsFlagText, IsText, Optional } from '../platform/http/input/fields.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'

@ApiSchema({ name: 'SignIn', description: 'Credentials: a token or a sign-in code.' })
export class SignIn {
  @ApiPropertyOptional({ description: 'Full value of a token.', example: 'lsk_live_…' })
  @Optional()
  @IsText(1, 400)
  token?: string

  @ApiPropertyOptional({
    description: 'Sign-in code: the part after `#code=` in the URL that the command prints.',
  })
  @Optional()
  @IsText(1, 400)
  code?: string
}

export class EndSession extends QueryInput {
  @ApiPropertyOptional({ description: 'Whether to end all sessions of the token. Default: false.' })
  @Optional()
  @IsFlagText()
  all?: string
}
