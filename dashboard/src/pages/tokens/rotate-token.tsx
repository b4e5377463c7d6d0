import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import { snippetOf } from '../../app/snippets.js'
import { RotateDialog } from '../../components/secret-dialog.js'
import type { ListedToken } from './token-tree.js'

interface Props {
  token: ListedToken
  onDone: () => void
  onClose: () => void
}

export function RotateToken({ token, onDone, onClose }: Props) {
  const rotate = async (body: { overlap: string }) => {
    const made = await service.tokens.rotate(token.id, body)
    const path = `/v1/auth/token/${token.id}/rotate`
    say(
      `Rotated ${token.name}.`,
      snippetOf({ method: 'POST', path, body, call: 'tokens.rotate', args: [token.id] }),
    )
    onDone()
    return made.token
  }
  return (
    <RotateDialog
      title={`Rotate ${token.name}`}
      explanation="A new token with the same name and scopes takes its place."
      label="Both work for"
      what="The new token"
      afterwards="The old one works until the overlap ends. The list counts it down."
      rotate={rotate}
      onClose={onClose}
    />
  )
}
