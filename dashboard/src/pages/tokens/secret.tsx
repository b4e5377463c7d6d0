import { CopyButton } from '../../components/basics.js'

/** What is shown once. It lives in the page's memory alone, and is gone with the dialog. */
export function Secret({ value, what }: { value: string; what: string }) {
  return (
    <>
      <div class="callout warn">
        <b>Copy it now.</b> {what} is shown this once, and nobody can look it up later.
      </div>
      <div class="secret">
        <code data-secret="">{value}</code>
        <CopyButton text={value} />
      </div>
    </>
  )
}
