import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { createSnippet } from '../../app/snippets.js'
import { RotateDialog } from '../../components/secret-dialog.js'
import type { ListedToken } from './token-tree.js'

interface Props {
  token: ListedToken
  onDone: () => void
  onClose: () => void
}

export function RotateToken({ token, onDone, onClose }: Props) {
  const rotate = async (body: { overlap: string }) => {
    const created = await service.tokens.rotate(token.id, body)
    const path = `/v1/auth/token/${token.id}/rotate`
    showNotice(
      `Rotated token “${token.name}”.`,
      createSnippet({ method: 'POST', path, body, call: 'tokens.rotate', args: [token.id] }),
    )
    onDone()
    return created.token
  }
  return (
    <RotateDialog
      title={`Rotate token “${token.name}”`}
      action="Rotate token"
      explanation="This creates a new token with the same name, scopes and restrictions."
      label="Old token works for"
      kind="token"
      afterwards="The old token works until the overlap ends. The list shows the remaining time."
      rotate={rotate}
      onClose={onClose}
    />
  )
}
